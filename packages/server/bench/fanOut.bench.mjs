// Compares the relay, in memory and with Redis, with a bare `ws` fan-out in the same run. Measures how long it takes until 1,000
// subscribers of a topic have received a message, and the delays of messages between 100 pairs of clients. The server is started
// with its command. Run `npm run build` first.

import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { WebSocketServer } from 'ws'
import { processorMs, startChild, startServer } from './benchServer.mjs'
import { median, percentile } from './statistics.mjs'

const file = fileURLToPath(import.meta.url)
const rounds = Number(process.env.ROUNDS ?? 5)
const subscribers = 1_000
const messages = 40
/** The pause between two messages, during which the relay handles the acknowledgements. */
const pauseMs = Number(process.env.PAUSE_MS ?? 100)
const pairs = 100
const perSecond = 10
const ms = Number(process.env.SECONDS ?? 4) * 1000
/** The minimum speed of a fan-out and the maximum 99th percentile of the delays between pairs, both relative to bare `ws`. */
const goals = { memory: { fanOut: 0.7, p99: 1.5 }, Redis: { fanOut: 0.5, p99: 2 } }

if (process.argv[2] === 'bare') await serveBare()
else process.exitCode = await bench()

async function bench() {
  const { endAll, startRedis } = await import('./faultServices.mjs')
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-fan-out-'))
  const redis = await startRedis()
  const bare = startChild({ side: 'server', file, args: ['bare'] })
  const memory = await startServer({ folder })
  const shared = await startServer({ folder: await mkdtemp(join(folder, 'redis-')), env: { REDIS_URL: redis.url } })
  const client = startChild({ side: 'clients', file: fileURLToPath(new URL('relayLoad.mjs', import.meta.url)) })
  try {
    const servers = {
      bare: { pid: bare.pid, port: (await bare.ask('port')).port },
      memory,
      Redis: shared,
    }
    console.log(
      `${messages} messages to ${subscribers} subscribers, ${pauseMs} ms apart; ${pairs} pairs with ${perSecond} messages per second for ${ms / 1000} s; medians of ${rounds} alternating runs`,
    )
    const found = { bare: [], memory: [], Redis: [] }
    for (let round = -1; round < rounds; round += 1)
      for (const [kind, { port, pid }] of Object.entries(servers)) {
        const given = { kind, port }
        const before = processorMs(pid)
        const fanOut = await client.ask('fanOut', { ...given, subscribers, messages, pauseMs })
        const cpu = ((processorMs(pid) - before) / (messages * subscribers)) * 1000
        const exchange = await client.ask('exchange', { ...given, pairs, perSecond, ms })
        // The first round is not counted, because it includes the time to compile the code.
        if (round >= 0) found[kind].push({ cpu, fanOut: fanOut.times, pairs: exchange.times, lost: exchange.lost })
      }
    return report(found) ? 0 : 1
  } finally {
    for (const one of [client, bare, memory, shared]) await one.stop()
    await endAll()
    await rm(folder, { recursive: true })
  }
}

function report(found) {
  const of = (kind, field, percent) => found[kind].map((run) => percentile(run[field], percent))
  const shown = (kind, field) =>
    `p50 ${median(of(kind, field, 50)).toFixed(1)} ms, p99 ${median(of(kind, field, 99)).toFixed(1)} ms`
  const ratioTo = (kind, field, percent) => {
    const bare = of('bare', field, percent)
    return median(of(kind, field, percent).map((time, round) => time / bare[round]))
  }
  const cpu = (kind) => median(found[kind].map((run) => run.cpu))
  console.log(
    `bare ws: fan-out ${shown('bare', 'fanOut')}, ${cpu('bare').toFixed(0)} µs of processor time per delivery; pairs ${shown('bare', 'pairs')}`,
  )
  let isGood = true
  for (const [kind, goal] of Object.entries(goals)) {
    const speed = 1 / ratioTo(kind, 'fanOut', 50)
    const p99 = ratioTo(kind, 'pairs', 99)
    const lost = found[kind].reduce((sum, run) => sum + run.lost, 0)
    const [isFast, isSteady] = [speed >= goal.fanOut, p99 <= goal.p99 && lost === 0]
    console.log(
      `${isFast ? 'met' : 'NOT met'}: ${kind}, fan-out ${shown(kind, 'fanOut')}, ${cpu(kind).toFixed(0)} µs of processor time per delivery; ratio ${speed.toFixed(2)} of a bare fan-out (at least ${goal.fanOut})`,
    )
    console.log(
      `${isSteady ? 'met' : 'NOT met'}: ${kind}, pairs ${shown(kind, 'pairs')}; p99 ratio ${p99.toFixed(2)} (at most ${goal.p99}), ${lost} messages lost (at most 0)`,
    )
    isGood &&= isFast && isSteady
  }
  return isGood
}

/**
 * A minimal fan-out server, where the topic is part of the URL. The publishers of a fan-out do not subscribe to a topic
 * themselves.
 */
async function serveBare() {
  const listener = createServer()
  const topics = new Map()
  new WebSocketServer({ server: listener, perMessageDeflate: false }).on('connection', (socket, request) => {
    const own = new URL(request.url, 'http://x').searchParams.get('topic')
    const others = topics.get(own) ?? new Set()
    topics.set(own, others.add(socket))
    socket.on('message', (data) => {
      const { topic, message } = JSON.parse(String(data))
      const text = JSON.stringify({ topic, message })
      for (const other of topics.get(topic) ?? []) if (other !== socket) other.send(text)
    })
    socket.on('close', () => others.delete(socket) && others.size === 0 && topics.delete(own))
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  process.on('message', () => process.send({ port: listener.address().port }))
  process.on('disconnect', () => process.exit())
}
