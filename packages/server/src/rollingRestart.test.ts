import { type ChildProcess, spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { Agent, createServer, type IncomingMessage, request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from './testing/postgres.ts'

const packageFolder = fileURLToPath(new URL('..', import.meta.url))
// Like `dist`, this folder is two levels above `data`. It is ignored by git and by tools.
const program = join(packageFolder, 'node_modules', `.rolling-restart-${process.pid}`)

/** Bundles the command, because the tests check the signals and streams of separate processes, which all start from source. */
async function bundle(): Promise<void> {
  const resolve = { conditions: ['@latchkey/source'] }
  await build({
    configFile: false,
    root: packageFolder,
    logLevel: 'silent',
    resolve,
    ssr: { noExternal: [/^@latchkey\//], resolve },
    build: {
      ssr: 'src/commands/cli.ts',
      outDir: program,
      rolldownOptions: { output: { entryFileNames: 'cli.js', chunkFileNames: '[name]-[hash].js' } },
    },
  })
}

interface Instance {
  readonly port: number
  readonly process: ChildProcess
  readonly ended: Promise<number | null>
}

let postgres: TestPostgres
const instances: Instance[] = []

beforeAll(async () => {
  ;[postgres] = await Promise.all([startPostgres(), bundle()])
}, 120_000)
afterAll(async () => {
  for (const { process } of instances) process.kill('SIGKILL')
  await Promise.all(instances.map(({ ended }) => ended))
  await postgres?.stop()
  await rm(program, { recursive: true, force: true })
})

/** Starts a server in its own process, as an operator would. */
async function start(port = 0): Promise<Instance> {
  const child = spawn(process.execPath, [join(program, 'cli.js')], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: postgres.url,
      PORT: String(port),
      LOG_LEVEL: 'error',
      RATE_PER_ADDRESS: '0',
      DRAIN_DELAY_MS: '4000',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const found = await new Promise<number>((resolve, reject) => {
    let output = ''
    const onData = (chunk: Buffer): void => {
      output += chunk.toString()
      const url = /http:\/\/127\.0\.0\.1:(\d+)/.exec(output)
      if (url) resolve(Number(url[1]))
    }
    child.stdout.on('data', onData)
    child.stderr.on('data', onData)
    child.once('exit', () => reject(new Error(`The server did not start: ${output}`)))
  })
  const instance = { port: found, process: child, ended }
  instances.push(instance)
  return instance
}

/** Sends a request over a keep-alive connection, as a load balancer does. */
function ask(agent: Agent, port: number, path: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ agent, host: '127.0.0.1', port, path }, (response: IncomingMessage) => {
      let text = ''
      response.on('data', (chunk) => {
        text += String(chunk)
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end()
  })
}

// The load balancer does not retry, because a retry would hide an instance that stops without announcing it.
test('a rolling restart of two instances behind a load balancer that does not retry loses no request', async () => {
  const agent = new Agent({ keepAlive: true })
  const targets = new Map<number, { isReady: boolean }>()
  for (const { port } of [await start(), await start()]) targets.set(port, { isReady: true })
  let turn = 0

  const pick = (): number => {
    const ports = [...targets].filter(([, { isReady }]) => isReady).map(([port]) => port)
    turn += 1
    return ports[turn % ports.length] ?? 0
  }
  const balancer: Server = createServer(async (incoming, response) => {
    const answer = await ask(agent, pick(), incoming.url ?? '/').catch(() => ({ status: 502, text: '' }))
    response.writeHead(answer.status).end(answer.text)
  })
  await new Promise<void>((resolve) => balancer.listen(0, '127.0.0.1', resolve))
  const { port: front } = balancer.address() as AddressInfo
  // Like other load balancers, this one sends no requests to an instance that is not ready.
  const checks = setInterval(async () => {
    for (const [port, target] of targets)
      target.isReady = await ask(agent, port, '/ready').then(
        ({ status }) => status === 200,
        () => false,
      )
  }, 200)

  const statuses = new Map<number, number>()
  let isOver = false
  const visitors = Array.from({ length: 8 }, async () => {
    const own = new Agent({ keepAlive: true })
    while (!isOver) {
      const { status } = await ask(own, front, '/getWallets?projectId=x&st=a&sv=b&entries=4')
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      // Limits the load to a few hundred requests per second. Without a pause, the visitors would slow down the start of the new
      // instances.
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    own.destroy()
  })
  const served = (): number => [...statuses.values()].reduce((sum, count) => sum + count, 0)

  for (const old of [...instances]) {
    const before = served()
    await expect.poll(served, { timeout: 60_000 }).toBeGreaterThan(before + 100)
    // An idle connection must not delay the shutdown of the old instance.
    const silent = connect(old.port, '127.0.0.1')
    silent.on('error', () => {})
    old.process.kill('SIGTERM')
    expect(await old.ended).toBe(0)
    targets.delete(old.port)
    silent.destroy()
    targets.set((await start()).port, { isReady: false })
    await expect.poll(() => [...targets.values()].every(({ isReady }) => isReady), { timeout: 60_000 }).toBe(true)
  }
  isOver = true
  await Promise.all(visitors)
  clearInterval(checks)
  agent.destroy()
  balancer.close()
  expect([...statuses.keys()]).toEqual([200])
}, 240_000)

test('closed log streams do not end the process, and a second signal ends the server immediately', async () => {
  const { port, process: server, ended } = await start()
  server.stdout?.destroy()
  server.stderr?.destroy()
  const agent = new Agent({ keepAlive: false })
  for (let at = 0; at < 5; at += 1) expect((await ask(agent, port, '/health')).status).toBe(200)
  server.kill('SIGTERM')
  await expect.poll(async () => (await ask(agent, port, '/ready')).status, { timeout: 30_000 }).toBe(503)
  // The server still handles requests while it drains.
  expect((await ask(agent, port, '/health')).status).toBe(200)
  server.kill('SIGINT')
  expect(await ended).toBe(1)
}, 120_000)
