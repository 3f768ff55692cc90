// Two instances over PostgreSQL and Redis on loopback, under load, while what they stand on is killed, frozen and filled:
// what clients saw, and how long after the repair all was well. Reads the build. `ONLY=memory` runs one row.
//
// Ends with 1 when a 500 was seen, when /ready said something else than the truth for more than two seconds, or when one
// hostile address holds 100 MB over idle.

import { execFile, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chown, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent, createServer, request } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'latchkey-faults-'))
const frozenMs = 8000
const truthMs = 2000
const hostileMb = 100
const only = process.env.ONLY
const endings = []
const faults = []
const agent = new Agent({ keepAlive: true, maxSockets: 500 })

try {
  await bench()
} finally {
  for (const end of endings.reverse()) await end().catch(() => {})
  await rm(folder, { recursive: true, force: true })
}
for (const fault of faults) console.log(`NOT met: ${fault}`)
agent.destroy()
process.exitCode = faults.length > 0 ? 1 : 0

async function bench() {
  const [postgres, redis, node] = [await startPostgres(), await startRedis(), await startNode()]
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    RPC_URLS: `eip155:1=${node.url}`,
    KEYS_URL: 'http://keys.shop.localhost',
    AUTH_SECRET: 'a secret of this bench, long enough',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'wallet@shop.example',
    LOG_LEVEL: 'error',
    DRAIN_DELAY_MS: '0',
    RATE_PER_ADDRESS: '0',
    CLIENT_ADDRESS_HEADER: 'x-forwarded-for',
  }
  const instances = [await startInstance(env), await startInstance(env)]
  const stores = { database: 'ok', relay: 'ok' }
  const table = []
  const row = async (name, fault) => {
    if (only && !name.includes(only)) return
    const seen = await underLoad(instances, stores, fault)
    table.push([name, ...seen.cells])
    for (const fault of seen.faults) faults.push(`${name}: ${fault}`)
  }

  await row('kill -9 of an instance', async ({ repaired }) => {
    const [first] = instances
    first.process.kill('SIGKILL')
    await first.ended
    await pause(2000)
    instances[0] = await startInstance(env, first.port)
    repaired()
  })
  for (const [name, key, store] of [
    ['Redis', 'relay', redis],
    ['PostgreSQL', 'database', postgres],
  ]) {
    await row(`kill -9 of ${name}`, async ({ repaired, now }) => {
      await store.kill()
      now(key, 'unavailable')
      await pause(5000)
      await store.start()
      now(key, 'ok')
      repaired()
    })
    await row(`${name} frozen ${frozenMs / 1000} s`, async ({ repaired, now }) => {
      await store.signal('STOP')
      now(key, 'unavailable')
      await pause(frozenMs)
      await store.signal('CONT')
      now(key, 'ok')
      repaired()
    })
  }
  await row('RPC black hole', async ({ repaired }) => {
    node.silent(true)
    await pause(15_000)
    node.silent(false)
    repaired()
  })
  await row('memory of one hostile address', async ({ repaired }) => {
    const [{ port, process: server }] = instances
    const idle = await residentMb(server.pid)
    node.silent(true)
    let most = idle
    const look = setInterval(async () => {
      most = Math.max(most, await residentMb(server.pid))
    }, 100)
    const body = `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":["${'x'.repeat(2_000_000)}"]}`
    const statuses = await Promise.all(
      Array.from({ length: 400 }, () =>
        ask(port, '/v1/?chainId=eip155:1&projectId=x', { body, address: '203.0.113.66' }).catch(() => ({ status: 0 })),
      ),
    )
    clearInterval(look)
    node.silent(false)
    repaired()
    const over = most - idle
    console.log(
      `  idle ${idle.toFixed(0)} MB, most ${most.toFixed(0)} MB; statuses ${counted(statuses.map(({ status }) => status))}`,
    )
    if (over >= hostileMb) faults.push(`memory: one address held ${over.toFixed(0)} MB over idle`)
  })

  console.log(`\n${table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}`)
}

/** Asks both instances all the time while `fault` runs. */
async function underLoad(instances, stores, fault) {
  const statuses = new Map()
  const slowest = new Map()
  const problems = []
  const wrongSince = new Map()
  let wrongMost = 0
  let repairedAt
  let wellAt
  let isOver = false

  const calls = [
    ['directory', '/getWallets?projectId=x&st=a&sv=b&entries=4', {}],
    ['RPC', '/v1/?chainId=eip155:1&projectId=x', { body: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}' }],
    ['sign-in', '/auth/v1/me?projectId=x', {}],
    [
      'keys',
      '/vault/email/code',
      {
        body: '{"otp":"000000"}',
        headers: {
          host: 'keys.shop.localhost',
          origin: 'http://keys.shop.localhost',
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/json',
        },
      },
    ],
  ]
  const load = instances.flatMap((_, at) =>
    calls.map(async ([name, path, options], nth) => {
      while (!isOver) {
        const started = performance.now()
        const { status } = await ask(instances[at].port, path, {
          ...options,
          address: `198.51.100.${at * 10 + nth}`,
        }).catch(() => ({ status: 0 }))
        const key = `${name} ${status || 'refused'}`
        statuses.set(key, (statuses.get(key) ?? 0) + 1)
        slowest.set(name, Math.max(slowest.get(name) ?? 0, performance.now() - started))
        if (status === 500) problems.push(`${name} answered 500`)
        await pause(20)
      }
    }),
  )
  const probes = instances.map(async (_, at) => {
    while (!isOver) {
      const answer = await ask(instances[at].port, '/ready', {}).catch(() => undefined)
      if (answer) {
        const told = JSON.parse(answer.text)
        const isTrue = Object.entries(stores).every(([name, state]) => told[name] === state)
        if (isTrue) wrongSince.delete(at)
        else wrongSince.set(at, wrongSince.get(at) ?? performance.now())
        const since = wrongSince.get(at)
        if (since !== undefined) wrongMost = Math.max(wrongMost, performance.now() - since)
        if (repairedAt !== undefined && answer.status === 200) wellAt ??= performance.now()
      }
      await pause(50)
    }
  })
  await pause(1000)
  await fault({
    now: (name, state) => {
      stores[name] = state
    },
    repaired: () => {
      repairedAt = performance.now()
    },
  })
  const limit = performance.now() + 30_000
  while (wellAt === undefined && performance.now() < limit) await pause(50)
  await pause(1500)
  isOver = true
  await Promise.all([...load, ...probes])
  if (wellAt === undefined) problems.push('not ready 30 s after the repair')
  if (wrongMost > truthMs) problems.push(`/ready was not true for ${(wrongMost / 1000).toFixed(1)} s`)
  const saw = [...statuses]
    .filter(([key]) => !/ (200|401|410|422|429)$/.test(key))
    .map(([key, count]) => `${count} × ${key}`)
  const slow = [...slowest].map(([name, ms]) => `${name} ${(ms / 1000).toFixed(1)}`)
  return {
    faults: [...new Set(problems)],
    cells: [
      saw.join(', ') || 'nothing',
      `slowest, s: ${slow.join(', ')}`,
      `/ready wrong for ${(wrongMost / 1000).toFixed(1)} s`,
      `well after ${wellAt === undefined ? '–' : ((wellAt - repairedAt) / 1000).toFixed(1)} s`,
    ],
  }
}

async function startInstance(env, port = 0) {
  const child = spawn(process.execPath, [cli], {
    cwd: folder,
    env: { ...env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  endings.push(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const found = await new Promise((resolve, reject) => {
    let said = ''
    child.stdout.on('data', (chunk) => {
      said += chunk
      const url = /http:\/\/127\.0\.0\.1:(\d+)/.exec(said)
      if (url) resolve(Number(url[1]))
    })
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}`)))
  })
  return { port: found, process: child, ended }
}

/** A node that answers at once, or takes every call and says nothing. */
async function startNode() {
  const waiting = new Set()
  let isSilent = false
  const server = createServer((incoming, response) => {
    incoming.resume()
    if (!isSilent) response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}')
    else waiting.add(response)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  endings.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    silent(value) {
      isSilent = value
      if (value) return
      for (const response of waiting) response.destroy()
      waiting.clear()
    },
  }
}

async function startRedis() {
  const port = await freePort()
  const files = join(folder, 'redis')
  await mkdir(files)
  let child
  const start = async () => {
    const flags = ['--port', String(port), '--bind', '127.0.0.1', '--dir', files, '--save', '', '--appendonly', 'yes']
    child = spawn(process.env.REDIS_SERVER ?? '/usr/bin/redis-server', flags, { stdio: ['ignore', 'pipe', 'ignore'] })
    await said(child, child.stdout, 'Ready to accept connections')
  }
  await start()
  endings.push(async () => void child.kill('SIGKILL'))
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    signal: async (name) => void child.kill(`SIG${name}`),
    kill: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function startPostgres() {
  const root = '/usr/lib/postgresql'
  const version = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a))[0] : undefined
  const bin = version ? join(root, version, 'bin') : '/usr/local/bin'
  const home = join(folder, 'postgres')
  await mkdir(home)
  // PostgreSQL refuses to run as root.
  const line = (await readFile('/etc/passwd', 'utf8')).split('\n').find((entry) => entry.startsWith('postgres:'))
  const [, , uid, gid] = (line ?? '').split(':').map(Number)
  const owner = process.getuid() === 0 ? { uid, gid } : {}
  if (owner.uid !== undefined) {
    await chown(folder, uid, gid)
    await chown(home, uid, gid)
  }
  const options = { ...owner, cwd: home, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' } }
  const files = join(home, 'files')
  await run(join(bin, 'initdb'), ['-D', files, '-U', 'latchkey', '-A', 'trust', '-E', 'UTF8', '--no-sync'], options)
  let child
  const start = async () => {
    child = spawn(join(bin, 'postgres'), ['-D', files, '-k', home, '-c', 'listen_addresses='], {
      ...options,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    await said(child, child.stderr, 'ready to accept connections')
  }
  const signal = async (name) => {
    const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid='])
    const own = stdout
      .split('\n')
      .map((entry) => entry.trim().split(/\s+/).map(Number))
      .filter(([, parent]) => parent === child.pid)
    for (const pid of [child.pid, ...own.map(([pid]) => pid)]) {
      try {
        process.kill(pid, `SIG${name}`)
      } catch {
        // It ended meanwhile.
      }
    }
  }
  await start()
  endings.push(async () => {
    await signal('CONT')
    child.kill('SIGKILL')
  })
  return {
    url: `postgres://latchkey@localhost/postgres?host=${encodeURIComponent(home)}`,
    start,
    signal,
    kill: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      await signal('KILL')
      await ended
    },
  }
}

function ask(port, path, { body, headers = {}, address = '127.0.0.1' }) {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        agent,
        host: '127.0.0.1',
        port,
        path,
        method: body === undefined ? 'GET' : 'POST',
        headers: { ...headers, 'x-forwarded-for': address },
      },
      (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode, text }))
        response.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

function said(child, stream, words) {
  return new Promise((resolve, reject) => {
    let heard = ''
    stream.on('data', (chunk) => {
      heard = `${heard}${chunk}`.slice(-4000)
      if (heard.includes(words)) resolve()
    })
    child.once('exit', () => reject(new Error(heard)))
  })
}

function counted(values) {
  const counts = new Map()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].map(([value, count]) => `${count} × ${value}`).join(', ')
}

async function residentMb(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1000
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createTcpServer()
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}
