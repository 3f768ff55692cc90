import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A separate Redis server for tests, with its files in its own folder. */
export interface TestRedis {
  url: string
  /** Kills the server without a shutdown, as a power failure would. */
  kill(): Promise<void>
  /** Starts the server again on the same port with its data. */
  start(): Promise<void>
  /** Suspends the server with SIGSTOP. `thaw` resumes it. */
  freeze(): void
  thaw(): void
  stop(): Promise<void>
}

/** Starts an empty Redis server. Rejects if Redis is not installed, so that no test is skipped. */
export async function startRedis(): Promise<TestRedis> {
  const places = ['/usr/bin/redis-server', '/usr/local/bin/redis-server', '/opt/homebrew/bin/redis-server']
  const program = [process.env.REDIS_SERVER, ...places].find((path) => path && existsSync(path))
  if (!program)
    throw new Error('This test requires Redis: install the package "redis-server" (apt-get install redis-server).')
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-redis-'))
  const port = await freePort()
  let end: () => Promise<void> = async () => {}
  let signal: (name: 'SIGSTOP' | 'SIGCONT') => void = () => {}

  const start = async (): Promise<void> => {
    const flags = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '']
    const server = spawn(program, [...flags, '--appendonly', 'yes', '--appendfsync', 'always'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
    await new Promise<void>((resolve, reject) => {
      let output = ''
      server.stdout.on('data', (chunk: Buffer) => {
        output = `${output}${chunk.toString()}`.slice(-4000)
        if (output.includes('Ready to accept connections')) resolve()
      })
      server.once('exit', () => reject(new Error(`Redis did not start: ${output}`)))
    })
    signal = (name) => void server.kill(name)
    end = async () => {
      server.kill('SIGKILL')
      await ended
    }
  }

  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    kill: () => end(),
    start,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    stop: async () => {
      await end()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
