// Attacks the relay with 200 hostile sockets. The server is pinned to one core and uses PostgreSQL. It is tested with and without
// Redis. Measures the slowest /health response, the number of messages that honest pairs exchange, and the peak resident size.
// Run `npm run build` first, then `SECONDS=60 node bench/relayHostile.bench.mjs`. DATABASE_URL and REDIS_URL select existing
// stores.

import { execFileSync, fork, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect as connectTcp, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import { token } from './relayToken.mjs'

const file = fileURLToPath(import.meta.url)
const seconds = Number(process.env.SECONDS ?? 20)
const hostile = 200
const pairs = 10
const goal = { healthMs: 1_000, residentMb: 512 }

const [, , role = 'bench', ...rest] = process.argv
if (role === 'hostile') beHostile(Number(rest[0]))
else process.exitCode = await bench()

async function bench() {
  const database = process.env.DATABASE_URL
    ? { url: process.env.DATABASE_URL, stop: async () => {} }
    : await startPostgres()
  const redis = process.env.REDIS_URL ? { url: process.env.REDIS_URL, stop: async () => {} } : await startRedis()
  try {
    let isGood = true
    for (const [name, env] of [
      ['PostgreSQL', {}],
      ['PostgreSQL and Redis', { REDIS_URL: redis.url }],
    ]) {
      const found = await measure({ DATABASE_URL: database.url, ...env })
      const good =
        found.hasSurvived &&
        found.healthMs <= goal.healthMs &&
        found.residentMb <= goal.residentMb &&
        found.received === found.sent &&
        found.closed === 0
      isGood &&= good
      console.log(
        `${good ? 'met' : 'NOT met'}: ${name}, ${hostile} hostile sockets for ${seconds} s: /health at most ${found.healthMs.toFixed(0)} ms (median ${found.medianMs.toFixed(0)}; at most ${goal.healthMs}), honest messages ${found.received} of ${found.sent}, p50 ${found.p50.toFixed(0)} ms, p99 ${found.p99.toFixed(0)} ms, ${found.closed} honest connections closed (at most 0), ${found.residentMb.toFixed(0)} MB resident at most (${found.idleMb.toFixed(0)} idle; at most ${goal.residentMb})${found.hasSurvived ? '' : ', the process exited'}`,
      )
    }
    return isGood ? 0 : 1
  } finally {
    await redis.stop()
    await database.stop()
  }
}

async function measure(env) {
  const port = await freePort()
  const cli = fileURLToPath(new URL('../dist/commands/cli.js', import.meta.url))
  const server = spawn('taskset', ['-c', '0', process.execPath, cli], {
    env: { PATH: process.env.PATH, ...env, PORT: String(port), LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(server, 'exit')
  await Promise.race([
    once(server.stdout, 'data'),
    ended.then(() => Promise.reject(new Error('The server did not start'))),
  ])
  const idleMb = residentMb(server.pid)
  const found = { sent: 0, received: 0, closed: 0, times: [], health: [], residentMb: idleMb }
  const ends = await Promise.all(Array.from({ length: pairs }, () => honestPair(port, found)))
  const crowd = fork(file, ['hostile', String(port)])
  const until = performance.now() + seconds * 1000
  const watching = Promise.all([
    repeat(until, 100, async () => found.health.push(await healthMs(port))),
    repeat(until, 100, () => {
      found.residentMb = Math.max(found.residentMb, residentMb(server.pid))
    }),
    ...ends.map(({ publish }) => repeat(until, 300, publish)),
  ])
  await watching
  crowd.disconnect()
  await once(crowd, 'exit')
  // Waits up to five seconds for messages that are still in flight.
  for (let turn = 0; turn < 50 && found.received < found.sent; turn += 1) await pause(100)
  const hasSurvived = server.exitCode === null
  for (const { close } of ends) close()
  server.kill('SIGKILL')
  await ended
  const times = found.times.toSorted((a, b) => a - b)
  const health = found.health.toSorted((a, b) => a - b)
  return {
    ...found,
    idleMb,
    hasSurvived,
    healthMs: health.at(-1) ?? Number.POSITIVE_INFINITY,
    medianMs: health[Math.floor(health.length / 2)] ?? Number.NaN,
    p50: times[Math.floor(times.length / 2)] ?? Number.NaN,
    p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
  }
}

async function repeat(until, everyMs, task) {
  while (performance.now() < until) {
    await task()
    await pause(everyMs)
  }
}

async function healthMs(port) {
  const from = performance.now()
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(20_000) })
    await answer.text()
    if (answer.status !== 200) return Number.POSITIVE_INFINITY
  } catch {
    return Number.POSITIVE_INFINITY
  }
  return performance.now() - from
}

/** Connects a page and a wallet. Every message that the page publishes must arrive at the wallet. */
async function honestPair(port, found) {
  const topic = randomBytes(32).toString('hex')
  const [page, wallet] = await Promise.all([connect(port), connect(port)])
  const sentAt = new Map()
  let isOver = false
  for (const socket of [page, wallet])
    socket.on('close', () => {
      if (!isOver) found.closed += 1
    })
  wallet.on('message', (data) => {
    const frame = JSON.parse(String(data))
    if (frame.method !== 'irn_subscription') return
    wallet.send(`{"id":${frame.id},"jsonrpc":"2.0","result":true}`)
    const from = sentAt.get(frame.params.data.message)
    if (from === undefined) return
    sentAt.delete(frame.params.data.message)
    found.received += 1
    found.times.push(performance.now() - from)
  })
  wallet.send(call('irn_subscribe', { topic }))
  await once(wallet, 'message')
  return {
    publish() {
      const message = randomBytes(600).toString('base64')
      sentAt.set(message, performance.now())
      found.sent += 1
      page.send(call('irn_publish', { topic, message, ttl: 300, tag: 1108 }))
    },
    close() {
      isOver = true
      for (const socket of [page, wallet]) socket.terminate()
    },
  }
}

/** Opens 200 sockets. Each socket misbehaves in a particular way and reconnects when it is closed. */
function beHostile(port) {
  process.on('disconnect', () => process.exit())
  const shared = Array.from({ length: 20 }, () => randomBytes(32).toString('hex'))
  const attacks = [
    // Subscribes to topics with large messages and never reads.
    (socket, nth) => {
      socket.send(call('irn_batchSubscribe', { topics: shared }))
      socket.pause()
      if (nth % 5 === 0) socket._socket?.pause()
      return () => {}
    },
    // Sends cheap requests that have large responses.
    (socket) => {
      socket.on('message', () => {})
      return () => socket.send(call('irn_batchFetchMessages', { topics: shared }))
    },
    // Subscribes to more topics than allowed.
    (socket) => {
      const topics = () => Array.from({ length: 500 }, () => randomBytes(32).toString('hex'))
      return () => socket.send(call('irn_batchSubscribe', { topics: topics() }))
    },
    // Publishes large messages, both to slow readers and to random topics.
    (socket) => () => {
      const topic =
        Math.random() < 0.5 ? shared[Math.floor(Math.random() * shared.length)] : randomBytes(32).toString('hex')
      socket.send(
        call('irn_publish', { topic, message: randomBytes(75_000).toString('base64'), ttl: 86_400 * 30, tag: 1108 }),
      )
    },
    // Starts to send a large frame but never completes it.
    (socket) => {
      socket._socket?.write(Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0x1f, 0, 0, 1, 2, 3, 4]))
      return () => socket._socket?.write(Buffer.alloc(20_000))
    },
    // Keeps the process busy with invalid calls.
    (socket) => () =>
      socket.send(
        `{"id":1,"method":"irn_batchReceive","params":${JSON.stringify({ receipts: Array(500).fill({ topic: shared[0], messageId: shared[1] }) })}}`,
      ),
  ]
  const attack = async (nth) => {
    for (;;) {
      try {
        // Opens a connection but never completes the handshake.
        if (nth % 7 === 6) {
          const socket = connectTcp(port, '127.0.0.1', () =>
            socket.write('GET /?useOnCloseEvent=true HTTP/1.1\r\nHost: x\r\nUpgr'),
          )
          socket.on('error', () => {})
          await once(socket, 'close')
          continue
        }
        const socket = await connect(port)
        const act = attacks[nth % 7](socket, nth)
        const timer = setInterval(() => {
          if (socket.bufferedAmount < 4_000_000) act()
        }, 10)
        await new Promise((resolve) => socket.once('close', resolve))
        clearInterval(timer)
      } catch {
        // The connection was rejected or closed, so the loop reconnects.
      }
      await pause(100)
    }
  }
  for (let nth = 0; nth < hostile; nth += 1) void attack(nth)
}

async function connect(port) {
  const base = `ws://127.0.0.1:${port}`
  const socket = new WebSocket(`${base}/?projectId=bench&auth=${token(base)}`, { perMessageDeflate: false })
  socket.on('error', () => {})
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('close', () => reject(new Error('closed')))
  })
  return socket
}

function call(method, params) {
  return JSON.stringify({ id: `${Date.now()}${Math.random()}`, jsonrpc: '2.0', method, params })
}

function residentMb(pid) {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1000
  } catch {
    return 0
  }
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address()
  probe.close()
  await once(probe, 'close')
  return port
}

async function startRedis() {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-redis-'))
  const port = await freePort()
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'yes']
  const server = spawn('taskset', ['-c', '1', 'redis-server', ...flags], { stdio: ['ignore', 'pipe', 'ignore'] })
  await ready(server, server.stdout, 'Ready to accept connections')
  return { url: `redis://127.0.0.1:${port}`, stop: () => stop(server, folder) }
}

async function startPostgres() {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root) : []
  const bin = versions.map((version) => join(root, version, 'bin')).find((folder) => existsSync(join(folder, 'initdb')))
  if (!bin) throw new Error('This benchmark requires PostgreSQL: install the package "postgresql" or set DATABASE_URL.')
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-pg-'))
  const options = { cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' } }
  if (process.getuid?.() === 0) {
    // PostgreSQL refuses to run as root, so it runs as the user `postgres`.
    const [, , uid, gid] = /^postgres:.*$/m.exec(readFileSync('/etc/passwd', 'utf8'))[0].split(':')
    Object.assign(options, { uid: Number(uid), gid: Number(gid) })
    chownSync(folder, options.uid, options.gid)
  }
  const files = join(folder, 'files')
  execFileSync(join(bin, 'initdb'), ['-D', files, '-U', 'latchkey', '-A', 'trust', '--no-sync'], {
    ...options,
    stdio: 'ignore',
  })
  const flags = ['-D', files, '-k', folder, '-c', 'listen_addresses=', '-c', 'fsync=off', '-c', 'shared_buffers=16MB']
  const server = spawn(join(bin, 'postgres'), flags, { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
  await ready(server, server.stderr, 'ready to accept connections')
  return {
    url: `postgres://latchkey@localhost/postgres?host=${encodeURIComponent(folder)}`,
    stop: () => stop(server, folder),
  }
}

function ready(server, output, sentence) {
  return new Promise((resolve, reject) => {
    let text = ''
    output.on('data', (part) => {
      text = `${text}${part}`.slice(-4_000)
      if (text.includes(sentence)) resolve()
    })
    server.once('exit', () => reject(new Error(text)))
  })
}

async function stop(server, folder) {
  const ended = once(server, 'exit')
  server.kill('SIGINT')
  await ended
  rmSync(folder, { recursive: true, force: true })
}
