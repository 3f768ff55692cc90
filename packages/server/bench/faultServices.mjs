// The services for the fault benchmark: PostgreSQL, Redis, a mail server, a node and the server itself. They can be killed,
// frozen or run out of disk space. All services run on loopback and are stopped by `endAll`.

import { execFile, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { appendFile, chown, mkdtemp, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
export const cli = fileURLToPath(new URL('../dist/commands/cli.js', import.meta.url))
const clock = fileURLToPath(new URL('faultClock.mjs', import.meta.url))
const endings = []

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void endAll().finally(() => process.exit(1)))

/** The folder for this run's files. */
export const folder = await mkdtemp(join(tmpdir(), 'latchkey-faults-'))

/** Stops all services and removes this run's files. */
export async function endAll() {
  for (const end of endings.splice(0).reverse()) await end().catch(() => {})
  await rm(folder, { recursive: true, force: true })
}

/**
 * Starts the server as an operator would. `port` is the port to reuse, and `within` is a disk from `startDisk`. SIGUSR2 sets the
 * server's clock back by a minute.
 */
export async function startInstance(env, { port = 0, within, limitMs = 60_000 } = {}) {
  const command = [...(within?.command ?? []), process.execPath, '--import', clock, cli]
  const child = spawn(command[0], command.slice(1), {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise((resolve) => child.once('exit', (code) => resolve(code)))
  endings.push(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const log = []
  child.stderr.on('data', (chunk) => {
    log.push(...String(chunk).split('\n').filter(Boolean))
    log.splice(0, log.length - 2000)
  })
  const found = await new Promise((resolve, reject) => {
    let output = ''
    const late = setTimeout(() => reject(new Error(`The server did not start in time: ${log.join('\n')}`)), limitMs)
    child.stdout.on('data', (chunk) => {
      output += chunk
      const url = /http:\/\/127\.0\.0\.1:(\d+)/.exec(output)
      if (url) resolve(Number(url[1]))
      if (url) clearTimeout(late)
    })
    child.once('exit', (code) => {
      clearTimeout(late)
      reject(new Error(log.join('\n') || `The server exited with ${code}`))
    })
  })
  return { port: found, process: child, ended, log }
}

/** Starts a node of Ethereum that responds immediately or, while silent, accepts calls without responding. */
export async function startNode() {
  const waiting = new Set()
  let isSilent = false
  const server = createServer(async (incoming, response) => {
    let body = ''
    for await (const chunk of incoming) body += chunk
    // The server only uses nodes of the configured chain, so it asks for the chain ID first.
    const result = body.includes('"eth_chainId"') ? '0x1' : '0x'
    if (!isSilent) response.end(`{"jsonrpc":"2.0","id":1,"result":"${result}"}`)
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

/** Starts a mail server that accepts every email. It can also be made silent or killed. */
export async function startMail() {
  const sockets = new Set()
  let isSilent = false
  let taken = 0
  const listener = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    let isData = false
    let rest = ''
    const say = (text) => isSilent || socket.write(`${text}\r\n`)
    say('220 mail.example')
    socket.on('data', (chunk) => {
      const lines = `${rest}${chunk}`.split('\r\n')
      rest = lines.pop()
      for (const line of lines) {
        if (isData && line !== '.') continue
        if (isData) {
          isData = false
          taken += 1
          say('250 taken')
        } else if (line === 'DATA') {
          isData = true
          say('354 go on')
        } else say(line === 'QUIT' ? '221 bye' : '250 ok')
      }
    })
  })
  const start = (port) => new Promise((resolve) => listener.listen(port, '127.0.0.1', resolve))
  await start(0)
  const { port } = listener.address()
  const kill = async () => {
    const closed = new Promise((resolve) => listener.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  }
  endings.push(kill)
  return {
    url: `smtp://127.0.0.1:${port}`,
    taken: () => taken,
    silent(value) {
      isSilent = value
      // Pending requests are never answered, so their sockets are closed to make the clients retry.
      if (!value) for (const socket of sockets) socket.destroy()
    },
    kill,
    start: () => start(port),
  }
}

export async function startRedis({ flags = [] } = {}) {
  const port = await freePort()
  const files = await mkdtemp(join(folder, 'redis-'))
  let child
  const start = async () => {
    const all = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--dir',
      files,
      '--save',
      '',
      '--appendonly',
      'yes',
      ...flags,
    ]
    child = spawn(process.env.REDIS_SERVER ?? '/usr/bin/redis-server', all, { stdio: ['ignore', 'pipe', 'ignore'] })
    await waitForOutput(child, child.stdout, 'Ready to accept connections')
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
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Starts PostgreSQL with its files in this run's folder, or on `within`, a disk from `startDisk`. */
export async function startPostgres({ within, flags = [] } = {}) {
  const root = '/usr/lib/postgresql'
  const version = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a))[0] : undefined
  const bin = version ? join(root, version, 'bin') : '/usr/local/bin'
  const home = within ? within.folder : await mkdtemp(join(folder, 'postgres-'))
  // PostgreSQL refuses to run as root, so it runs as the user `postgres`.
  const line = (await readFile('/etc/passwd', 'utf8')).split('\n').find((entry) => entry.startsWith('postgres:'))
  const [, , uid, gid] = (line ?? '').split(':').map(Number)
  const isRoot = process.getuid() === 0
  if (isRoot) await chown(folder, uid, gid)
  if (isRoot) await chown(within?.outside ?? home, uid, gid)
  const options = { cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' } }
  const as = [
    ...(within?.command ?? []),
    ...(isRoot ? ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'] : []),
  ]
  const files = join(home, 'files')
  const port = await freePort()
  const [first, ...rest] = [...as, join(bin, 'initdb')]
  await run(first, [...rest, '-D', files, '-U', 'latchkey', '-A', 'trust', '-E', 'UTF8', '--no-sync'], options)
  let child
  let log = ''
  const start = async () => {
    const all = ['-D', files, '-k', '', '-p', String(port), '-c', 'listen_addresses=127.0.0.1', ...flags]
    const [program, ...args] = [...as, join(bin, 'postgres')]
    child = spawn(program, [...args, ...all], { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
    child.stderr.on('data', (chunk) => {
      log = `${log}${chunk}`.slice(-20_000)
    })
    await waitForOutput(child, child.stderr, 'ready to accept connections')
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
        // The process has already exited.
      }
    }
  }
  await start()
  endings.push(async () => {
    await signal('CONT')
    const ended = new Promise((resolve) => child.once('exit', resolve))
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGQUIT')
      await ended
    }
  })
  return {
    url: `postgres://latchkey@127.0.0.1:${port}/postgres`,
    log: () => log,
    isUp: () => child.exitCode === null && child.signalCode === null,
    start,
    signal,
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGINT')
      await ended
    },
    kill: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      await signal('KILL')
      await ended
    },
  }
}

/**
 * Creates a small separate disk, which is a tmpfs in a mount namespace. It is only visible to processes started with `command`,
 * and is removed at the end of the run. `fill` uses up the disk's space, and `free` releases the space.
 */
export async function startDisk(megabytes) {
  const place = await mkdtemp(join(folder, 'disk-'))
  const alone = ['--mount', '--propagation', 'private', ...(process.getuid() === 0 ? [] : ['--map-root-user'])]
  const script = `mount -t tmpfs -o size=${megabytes}m,mode=0777 tmpfs "$1" && echo mounted && exec sleep infinity`
  const authentication = spawn('unshare', [...alone, 'sh', '-c', script, 'sh', place], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await waitForOutput(authentication, authentication.stdout, 'mounted')
  endings.push(async () => void authentication.kill('SIGKILL'))
  // The path of the disk's folder as seen from outside the namespace.
  const outside = `/proc/${authentication.pid}/root${place}`
  const enter = [
    'nsenter',
    '-t',
    String(authentication.pid),
    '--mount',
    ...(process.getuid() === 0 ? [] : ['--user', '--preserve-credentials']),
  ]
  return {
    folder: place,
    outside,
    command: enter,
    freeBytes: async () => {
      const { bavail, bsize } = await statfs(outside)
      return bavail * bsize
    },
    async fill(leave = 0) {
      const { bavail, bsize } = await statfs(outside)
      const many = Buffer.alloc(Math.max(0, bavail * bsize - leave), 1)
      await writeFile(join(outside, 'filler'), many).catch(() => {})
      if (leave > 0) return
      for (let at = 0; at < 64; at += 1) await appendFile(join(outside, 'filler'), Buffer.alloc(4096)).catch(() => {})
    },
    free: () => rm(join(outside, 'filler'), { force: true }),
  }
}

/** Starts a load balancer that polls /ready, forwards requests to ready instances and retries once on a different instance. */
export async function startBalancer(ports, ask) {
  const targets = new Map(ports.map((port) => [port, { isReady: true }]))
  let turn = 0
  const pick = (not) => {
    const ready = [...targets].filter(([port, { isReady }]) => isReady && port !== not).map(([port]) => port)
    turn += 1
    return ready[turn % ready.length] ?? not ?? ports[0]
  }
  const server = createServer((incoming, response) => {
    let body = ''
    incoming.on('data', (chunk) => {
      body += chunk
    })
    incoming.on('end', async () => {
      const { host: _, connection: __, 'content-length': ___, ...headers } = incoming.headers
      const isKeys = incoming.headers.host?.startsWith('keys.')
      const sent = {
        body: incoming.method === 'GET' ? undefined : body,
        headers: isKeys ? { ...headers, host: incoming.headers.host } : headers,
        address: incoming.headers['x-forwarded-for'],
      }
      const first = pick()
      const answer = await ask(first, incoming.url, sent)
        .catch(() => ask(pick(first), incoming.url, sent))
        .catch(() => ({ status: 502, text: '', headers: {} }))
      response.writeHead(
        answer.status,
        answer.headers['set-cookie'] ? { 'set-cookie': answer.headers['set-cookie'] } : {},
      )
      response.end(answer.text)
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const checks = setInterval(async () => {
    for (const [port, target] of targets)
      target.isReady = await ask(port, '/ready', {}).then(
        ({ status }) => status === 200,
        () => false,
      )
  }, 200)
  const close = async () => {
    clearInterval(checks)
    server.closeAllConnections()
    server.close()
  }
  endings.push(close)
  return {
    port: server.address().port,
    targets,
    isWhole: () => [...targets.values()].every(({ isReady }) => isReady),
    close,
  }
}

export function waitForOutput(child, stream, words) {
  return new Promise((resolve, reject) => {
    let output = ''
    stream.on('data', (chunk) => {
      output = `${output}${chunk}`.slice(-4000)
      if (output.includes(words)) resolve()
    })
    child.once('exit', () => reject(new Error(output)))
  })
}

export async function residentMb(pid) {
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
