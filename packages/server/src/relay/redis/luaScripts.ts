// The scripts that store messages in Redis. The scripts that write messages also count and enforce quotas, so that all instances
// share one set of quotas. All keys have the same hash tag, so that they are in the same slot of a cluster.
//
//   t:<topic>            hash: id → "<sequence> <from> <size> <expiry> <project> <owners>"
//   m:<topic>:<id>       the message text, which expires with the message
//   ends                 sorted set: "<topic>:<id>" scored by expiry
//   o:<scope>[><owner>…] sorted set: an owner's children, scored by bytes / share; the children of the last owner in the chain
//                        are messages
//   b:<scope>            total bytes in the scope, which is "*" or "p:<project>"
//
// An owner is "<share>~<kind><name>", where the kind is g (address group) or c (client).

/** The prefix of all keys. */
export const redisPrefix = 'latchkey:{relay}:'

const library = `
local P = '${redisPrefix}'

local function split(owners)
  local names = {}
  for name in string.gmatch(owners, '[^>]+') do names[#names + 1] = name end
  return names
end

local function shareOf(name) return tonumber(string.match(name, '^(%d+)~')) end

local function count(scope, names, size, member)
  local key = P .. 'o:' .. scope
  for _, name in ipairs(names) do
    local left = redis.call('ZINCRBY', key, size / shareOf(name), name)
    if tonumber(left) <= 0 then redis.call('ZREM', key, name) end
    key = key .. '>' .. name
  end
  if size > 0 then redis.call('ZADD', key, size, member) else redis.call('ZREM', key, member) end
  local left = redis.call('INCRBY', P .. 'b:' .. scope, size)
  if left <= 0 then redis.call('DEL', P .. 'b:' .. scope) end
end

local function drop(topic, id)
  local box = P .. 't:' .. topic
  local place = redis.call('HGET', box, id)
  local member = topic .. ':' .. id
  redis.call('ZREM', P .. 'ends', member)
  if not place then return 0 end
  local size, project, owners = string.match(place, '^%S+ %S+ (%d+) %S+ (%S+) (%S+)$')
  redis.call('HDEL', box, id)
  redis.call('DEL', P .. 'm:' .. member)
  local names = split(owners)
  count('*', names, -tonumber(size), member)
  if project ~= '-' then count('p:' .. project, names, -tonumber(size), member) end
  return tonumber(size)
end

local function forget(now, most)
  local over = redis.call('ZRANGEBYSCORE', P .. 'ends', '-inf', now, 'LIMIT', 0, most)
  for _, member in ipairs(over) do
    local topic, id = string.match(member, '^(%x+):(%S+)$')
    drop(topic, id)
  end
  return #over
end

-- Drops the largest message of the heaviest owner, if that owner is heavier than the given owners would be after adding size bytes.
local function dropHeaviest(scope, names, size)
  local key, depth, isOther = P .. 'o:' .. scope, 1, false
  while true do
    local top = redis.call('ZREVRANGE', key, 0, 0, 'WITHSCORES')
    if not top[1] then return 0 end
    if not string.find(top[1], '~', 1, true) then
      if not isOther then return 0 end
      local topic, id = string.match(top[1], '^(%x+):(%S+)$')
      return drop(topic, id)
    end
    if not isOther and top[1] ~= names[depth] then
      local ours = tonumber(redis.call('ZSCORE', key, names[depth]) or 0) + size / shareOf(names[depth])
      if tonumber(top[2]) <= ours then return 0 end
      isOther = true
    end
    key, depth = key .. '>' .. top[1], depth + 1
  end
end
`

/**
 * Stores a message and notifies the topic's subscribers if the message's owners are within their quotas. If the limit for all
 * messages or for the project's messages is exceeded, drops messages of heavier owners to make room.
 */
export const putScript: string = `${library}
local topic, id, text, from, now, till, size, project, owners, channel = unpack(ARGV)
local letters, topicBytes, maxAll, maxProject, maxAddress, maxClient = unpack(ARGV, 11)
size = tonumber(size)
forget(now, 20)
local box, member = P .. 't:' .. topic, topic .. ':' .. id
if redis.call('HEXISTS', box, id) == 1 then return 'duplicate' end
local held = redis.call('HVALS', box)
local whole = size
for _, place in ipairs(held) do whole = whole + tonumber(string.match(place, '^%S+ %S+ (%d+)')) end
if #held >= tonumber(letters) or whole > tonumber(topicBytes) then return 'topicFull' end
local names = split(owners)
local key = P .. 'o:*'
for _, name in ipairs(names) do
  local share = shareOf(name)
  local amount = tonumber(redis.call('ZSCORE', key, name) or 0) + size / share
  local isClient = string.find(name, '~c', 1, true)
  if isClient and amount * share > tonumber(maxClient) then return 'quotaExceeded' end
  if not isClient and amount > tonumber(maxAddress) then return 'quotaExceeded' end
  key = key .. '>' .. name
end
for _, scope in ipairs({ '*', 'p:' .. project }) do
  local most = tonumber(scope == '*' and maxAll or maxProject)
  if scope ~= 'p:-' and most > 0 then
    while tonumber(redis.call('GET', P .. 'b:' .. scope) or 0) + size > most do
      if dropHeaviest(scope, names, size) == 0 then return 'quotaExceeded' end
    end
  end
end
local sequence = redis.call('INCR', P .. 'sequence')
redis.call('SET', P .. 'm:' .. member, text, 'PX', math.max(1, tonumber(till) - tonumber(now)))
redis.call('HSET', box, id, table.concat({ sequence, from, size, till, project, owners }, ' '))
redis.call('ZADD', P .. 'ends', till, member)
count('*', names, size, member)
if project ~= '-' then count('p:' .. project, names, size, member) end
redis.call('PUBLISH', channel, text)
return 'stored'`

/** Removes a message, unless the request comes from the message's publisher. Returns 1 if the message is gone, otherwise 0. */
export const removeScript: string = `${library}
local topic, id, by = unpack(ARGV)
local place = redis.call('HGET', P .. 't:' .. topic, id)
if not place then return 1 end
if string.match(place, '^%S+ (%S+)') == by then return 0 end
drop(topic, id)
return 1`

/** Removes expired messages, up to a limit. Returns the number of removed messages. */
export const forgetScript: string = `${library}
return forget(ARGV[1], ARGV[2])`

/**
 * Frees memory when Redis runs out of it, by dropping messages of owners that are heavier than the given owners. Requires Redis
 * 7.
 */
export const makeRoomScript: string = `#!lua flags=allow-oom
${library}
local now, size, wanted, owners = unpack(ARGV)
local freed = forget(now, 500)
local names = split(owners)
while freed < tonumber(wanted) do
  local more = dropHeaviest('*', names, tonumber(size))
  if more == 0 then break end
  freed = freed + more
end
return freed`
