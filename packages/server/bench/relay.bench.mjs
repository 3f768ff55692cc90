// Compares the relay with a bare `ws` fan-out in the same run, by messages per second and by memory per idle connection. The
// server and the clients are separate processes. Run `npm run build` first. To reproduce a run, use
// `SEED=… node bench/relay.bench.mjs`.

import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { WebSocket, WebSocketServer } from 'ws'
import { token } from './relayToken.mjs'
import { median, randomFrom } from './statistics.mjs'

const file = fileURLToPath(import.meta.url)
const rounds = Number(process.env.ROUNDS ?? 5)
const pairs = 40
const perPair = 500
/** The number of messages per pair that are in flight at the same time. */
const abreast = 8
/** The size of a message. A typical encrypted request has this size in base64. */
const messageBytes = 900
const idle = 2_000
/** The targets: the minimum message rate relative to the bare fan-out, and the maximum extra bytes per connection. */
const goal = { messages: 0.25, bytes: 16_000 }

const [, , role = 'bench', ...rest] = process.argv
if (role === 'server') await serve(rest[0])
else if (role === 'clients') await answerAsClients()
else process.exitCode = await bench()

async function bench() {
  const seed = Number(process.env.SEED ?? randomBytes(4).readUInt32LE())
  console.log(
    `seed ${seed}: ${pairs} pairs × ${perPair} messages of ${messageBytes} bytes, ${abreast} abreast; ${idle} idle connections of one topic each; medians of ${rounds} alternating runs`,
  )
  const found = { relay: { rate: [], bytes: [] }, bare: { rate: [], bytes: [] } }
  for (let round = 0; round < rounds; round += 1)
    for (const kind of ['bare', 'relay']) {
      found[kind].rate.push(await measureRate(kind, seed + round))
      found[kind].bytes.push(await measureBytes(kind, seed + round))
    }
  const [relay, bare] = [found.relay, found.bare].map(({ rate, bytes }) => ({
    rate: median(rate),
    bytes: median(bytes),
  }))
  // The rates are compared round by round, so that any other load on the machine affects both.
  const ratio = median(found.relay.rate.map((rate, round) => rate / found.bare.rate[round]))
  console.log(
    `messages     relay ${relay.rate.toFixed(0).padStart(7)}/s   bare ws ${bare.rate.toFixed(0).padStart(7)}/s   ratio ${ratio.toFixed(2)}   (the relay stores, responds and is acknowledged: four frames instead of two)`,
  )
  console.log(
    `idle         relay ${kB(relay.bytes)} kB   bare ws ${kB(bare.bytes)} kB   ratio ${(relay.bytes / bare.bytes).toFixed(2)}   (resident size per connection)`,
  )
  const good = ratio >= goal.messages && relay.bytes - bare.bytes <= goal.bytes
  console.log(
    `${good ? 'met' : 'NOT met'}: at least ${goal.messages} × the messages of a bare fan-out, at most ${goal.bytes / 1000} kB more per idle connection`,
  )
  return good ? 0 : 1
}

async function measureRate(kind, seed) {
  const { server, clients, stop } = await start(kind)
  const { port } = await ask(server, 'port')
  const { perSecond } = await ask(clients, 'exchange', { kind, port, seed })
  await stop()
  return perSecond
}

async function measureBytes(kind, seed) {
  const { server, clients, stop } = await start(kind)
  const { port } = await ask(server, 'port')
  // The first connections are not measured, because they include one-time costs.
  await ask(clients, 'open', { kind, port, seed, count: 100 })
  const before = (await ask(server, 'resident')).bytes
  await ask(clients, 'open', { kind, port, seed: seed + 1, count: idle })
  const after = (await ask(server, 'resident')).bytes
  await stop()
  return (after - before) / idle
}

/** Starts a server process and a process for its clients. */
async function start(kind) {
  const server = fork(file, ['server', kind], { execArgv: ['--expose-gc'] })
  const clients = fork(file, ['clients'])
  const stop = async () => {
    for (const child of [clients, server]) {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    }
  }
  return { server, clients, stop }
}

async function ask(child, what, params = {}) {
  child.send({ what, ...params })
  const [answer] = await once(child, 'message')
  return answer
}

async function serve(kind) {
  const listener = createServer()
  if (kind === 'bare') serveBare(listener)
  else await serveRelay(listener)
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  process.on('message', ({ what }) => {
    if (what === 'port') process.send({ port: listener.address().port })
    else {
      for (let turn = 0; turn < 3; turn += 1) globalThis.gc()
      process.send({ bytes: Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]) * 1024 })
    }
  })
  process.on('disconnect', () => process.exit())
}

// A minimal fan-out server, where the topic is part of the URL.
function serveBare(listener) {
  const topics = new Map()
  new WebSocketServer({ server: listener, perMessageDeflate: false }).on('connection', (socket, request) => {
    const topic = new URL(request.url, 'http://x').searchParams.get('topic')
    const others = topics.get(topic) ?? new Set()
    topics.set(topic, others.add(socket))
    socket.on('message', (data) => {
      const { message } = JSON.parse(String(data))
      const text = JSON.stringify({ topic, message })
      for (const other of others) if (other !== socket) other.send(text)
    })
    socket.on('close', () => others.delete(socket) && others.size === 0 && topics.delete(topic))
  })
}

async function serveRelay(listener) {
  const library = await import('../dist/index.js')
  const {
    createAuthenticator,
    createMemoryRateLimiter,
    createMetrics,
    createRelay,
    memoryMessageStore,
    inMemoryProjects,
  } = library
  const { redisMessageStore, relayLimits, createRelayWebSocketServer } = library
  const log = () => {}
  const authenticator = createAuthenticator({
    projects: inMemoryProjects(),
    rates: createMemoryRateLimiter(Date.now),
    limits: { connections: 0, messages: 0 },
    now: Date.now,
  })
  const url = process.env.REDIS_URL
  const store = url ? await redisMessageStore({ url, now: Date.now, log }) : memoryMessageStore({ now: Date.now })
  const limits = { ...relayLimits, burst: 1e9, perSecond: 1e9 }
  const relay = createRelay({ store, authenticator, metrics: createMetrics(), log, now: Date.now, limits })
  listener.on('upgrade', createRelayWebSocketServer({ relay, authenticator, clientAddressOf: () => undefined }).upgrade)
}

async function answerAsClients() {
  process.on('disconnect', () => process.exit())
  const open = []
  for await (const [request] of on(process)) {
    if (request.what === 'open') {
      const topics = topicsOf(request.seed, request.count)
      for (let from = 0; from < topics.length; from += 50)
        open.push(...(await Promise.all(topics.slice(from, from + 50).map((topic) => connect(request, topic)))))
      process.send({ count: open.length })
    } else process.send(await exchange(request))
  }
}

async function* on(emitter) {
  const waiting = []
  let wake = () => {}
  emitter.on('message', (...args) => {
    waiting.push(args)
    wake()
  })
  for (;;) {
    while (waiting.length > 0) yield waiting.shift()
    await new Promise((resolve) => {
      wake = resolve
    })
  }
}

/** Lets every pair send its messages, `abreast` at a time, and measures the time until the last message has arrived. */
async function exchange({ kind, port, seed }) {
  const topics = topicsOf(seed, pairs)
  const ends = await Promise.all(
    topics.map(async (topic) => [await connect({ kind, port }, topic), await connect({ kind, port }, topic)]),
  )
  const random = randomFrom(seed)
  const body = Buffer.from(Array.from({ length: Math.floor((messageBytes * 3) / 4) }, () => random() * 256)).toString(
    'base64',
  )
  const started = performance.now()
  await Promise.all(
    ends.map(([page, wallet], at) => {
      let sent = 0
      let arrived = 0
      const next = () => {
        if (sent === perPair) return
        // Every message is different, because a relay stores identical messages only once.
        const message = `${String(sent++).padStart(8, '0')}${body}`
        page.send(
          kind === 'bare'
            ? JSON.stringify({ topic: topics[at], message })
            : call('irn_publish', { topic: topics[at], message, ttl: 300, tag: 1108 }, sent),
        )
      }
      return new Promise((resolve) => {
        wallet.on('message', (data) => {
          const frame = JSON.parse(String(data))
          if (kind !== 'bare') {
            if (frame.method !== 'irn_subscription') return
            wallet.send(`{"id":${frame.id},"jsonrpc":"2.0","result":true}`)
          }
          arrived += 1
          if (arrived === perPair) resolve()
          else next()
        })
        for (let turn = 0; turn < abreast; turn += 1) next()
      })
    }),
  )
  const seconds = (performance.now() - started) / 1000
  for (const socket of ends.flat()) socket.terminate()
  return { perSecond: (pairs * perPair) / seconds }
}

// Like real clients, this uses IDs above 2^53.
function call(method, params, at) {
  return JSON.stringify({ id: `${Date.now()}${String(at).padStart(6, '0')}`, jsonrpc: '2.0', method, params })
}

async function connect({ kind, port }, topic) {
  const base = `ws://127.0.0.1:${port}`
  const query = kind === 'bare' ? `topic=${topic}` : `projectId=bench&useOnCloseEvent=true&auth=${token(base)}`
  const socket = new WebSocket(`${base}/?${query}`, { perMessageDeflate: false })
  await once(socket, 'open')
  if (kind === 'bare') return socket
  socket.send(call('irn_subscribe', { topic }, 0))
  await once(socket, 'message')
  return socket
}

function topicsOf(seed, count) {
  const random = randomFrom(seed)
  return Array.from({ length: count }, () =>
    Array.from({ length: 64 }, () => Math.floor(random() * 16).toString(16)).join(''),
  )
}

function kB(bytes) {
  return (bytes / 1000).toFixed(1).padStart(5)
}
