import { randomUUID } from 'node:crypto'
import { errorFields } from '../../errors/errorLogFields.ts'
import type { IpAddressGroup } from '../../ipAddresses/ipAddressGroups.ts'
import type { Log } from '../../serverDependencies.ts'
import { redisPrefix } from './luaScripts.ts'
import { withTimeout } from './redisTimeout.ts'
import { splitIntoBatches } from './splitIntoBatches.ts'

/** How long an instance's counts stay valid without a renewal, and how often the instance renews them, in milliseconds. */
const leaseMs = 30_000
const renewMs = 10_000
/** The timeout for Redis, in milliseconds. After a timeout, this instance counts only its own connections. */
const answerMs = 1_000
/** The maximum number of address groups in one script call. */
const groupsPerBatch = 500

/** The counts of open connections from address groups, across all instances. */
export interface SharedConnectionCounts {
  /**
   * Counts a connection. Resolves to `false` if a group has too many connections. While the store is unavailable, allows every
   * connection.
   */
  open(groups: readonly IpAddressGroup[]): Promise<boolean>
  /** Subtracts a connection. */
  close(groups: readonly IpAddressGroup[]): void
  end(): Promise<void>
}

// There is one hash per group with the count of each instance. Counts of instances whose lease has expired are removed. Each
// instance writes its total instead of a difference, so that the next write corrects lost or duplicate writes.
const openScript = `
local P, instance = '${redisPrefix}', ARGV[1]
for at = 2, #ARGV, 3 do
  local key, sum = P .. 'c:' .. ARGV[at], tonumber(ARGV[at + 1])
  local all = redis.call('HGETALL', key)
  for nth = 1, #all, 2 do
    if all[nth] ~= instance then
      if redis.call('EXISTS', P .. 'alive:' .. all[nth]) == 0 then redis.call('HDEL', key, all[nth])
      else sum = sum + tonumber(all[nth + 1]) end
    end
  end
  if sum > tonumber(ARGV[at + 2]) then return 0 end
end
for at = 2, #ARGV, 3 do
  redis.call('HSET', P .. 'c:' .. ARGV[at], instance, ARGV[at + 1])
  redis.call('EXPIRE', P .. 'c:' .. ARGV[at], 86400)
end
return 1`

const writeScript = `
for at = 2, #ARGV, 2 do
  local key = '${redisPrefix}c:' .. ARGV[at]
  if ARGV[at + 1] == '0' then redis.call('HDEL', key, ARGV[1]) else redis.call('HSET', key, ARGV[1], ARGV[at + 1]) end
end`

/**
 * Counts connections in the Redis server at `url`. `perAddress` is the limit for one address. For a wider group, the limit is
 * multiplied by the group's share.
 */
export async function redisConnectionCounts({
  url,
  perAddress,
  log,
  every = everyMs,
}: {
  url: string
  perAddress: number
  log: Log
  /** Runs a task repeatedly and returns a function that stops it. Default: `setInterval`. */
  every?: (ms: number, task: () => void) => () => void
}): Promise<SharedConnectionCounts> {
  const { createClient } = await import('@redis/client')
  const instance = randomUUID()
  const aliveKey = `${redisPrefix}alive:${instance}`
  const openCounts = new Map<string, number>()
  /** The groups whose last count might not have reached Redis, where other instances read it. */
  const unwritten = new Set<string>()
  const client = createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    pingInterval: 10_000,
  })
  let isUnavailable = false
  const onUnavailable = (error: unknown): void => {
    if (isUnavailable) return
    isUnavailable = true
    log('warn', 'Redis is unavailable: relay connections are only counted by this instance', errorFields(error))
  }

  const count = (groups: readonly IpAddressGroup[], change: 1 | -1): void => {
    for (const { name } of groups) {
      const remaining = (openCounts.get(name) ?? 0) + change
      if (remaining > 0) openCounts.set(name, remaining)
      else openCounts.delete(name)
    }
  }

  const evaluate = (text: string, args: readonly string[]): Promise<unknown> =>
    withTimeout(client.eval(text, { arguments: [instance, ...args] }), answerMs)

  /** Writes this instance's counts for the given groups. */
  const writeCounts = async (groupNames: readonly string[]): Promise<void> => {
    try {
      await evaluate(
        writeScript,
        groupNames.flatMap((name) => [name, String(openCounts.get(name) ?? 0)]),
      )
      for (const name of groupNames) unwritten.delete(name)
    } catch (error) {
      for (const name of groupNames) unwritten.add(name)
      throw error
    }
  }

  /** Renews the lease. If the lease had expired, writes the counts again, because other instances might have dropped them. */
  const renew = async (isNew = false): Promise<void> => {
    try {
      const previous = await withTimeout(client.set(aliveKey, '1', { PX: leaseMs, GET: true }), answerMs)
      isUnavailable = false
      if (previous === null || isNew) for (const name of openCounts.keys()) unwritten.add(name)
      for (const batch of splitIntoBatches([...unwritten], groupsPerBatch)) await writeCounts(batch)
    } catch (error) {
      onUnavailable(error)
    }
  }

  client.on('error', onUnavailable)
  // Only this instance knows about connections that it accepted during the outage.
  client.on('ready', () => void renew(true))
  await client.connect()
  await renew()
  const stop = every(renewMs, () => void renew())

  return {
    async open(groups) {
      if (groups.length === 0) return true
      count(groups, 1)
      const counts = groups.flatMap(({ name, share }) => [
        name,
        String(openCounts.get(name) ?? 0),
        String(perAddress * share),
      ])
      try {
        const isAllowed = await evaluate(openScript, counts)
        if (isAllowed !== 0) return true
        count(groups, -1)
        return false
      } catch (error) {
        onUnavailable(error)
        return true
      }
    },
    close(groups) {
      if (groups.length === 0) return
      count(groups, -1)
      writeCounts(groups.map(({ name }) => name)).catch(onUnavailable)
    },
    async end() {
      stop()
      await withTimeout(client.del(aliveKey), answerMs).catch(() => {})
      client.destroy()
    },
  }
}

function everyMs(ms: number, task: () => void): () => void {
  const timer = setInterval(task, ms)
  timer.unref()
  return () => clearInterval(timer)
}
