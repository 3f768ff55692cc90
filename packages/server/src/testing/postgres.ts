import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A separate PostgreSQL server for tests, reachable through a socket in its own folder. */
export interface TestPostgres {
  url: string
  /** Kills the server without a shutdown, as a power failure would. */
  kill(): Promise<void>
  /** Starts the server again with its data. */
  start(): Promise<void>
  /** Suspends all processes of the server, including those for connections, with SIGSTOP. `thaw` resumes them. */
  freeze(): Promise<void>
  thaw(): Promise<void>
  stop(): Promise<void>
}

/** Starts a PostgreSQL server with an empty database. Rejects if PostgreSQL is not installed, so that no test is skipped. */
export async function startPostgres(): Promise<TestPostgres> {
  const bin = binaries()
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-pg-'))
  // PostgreSQL refuses to run as root.
  const owner = process.getuid?.() === 0 ? await postgresUser() : undefined
  if (owner) await chown(folder, owner.uid, owner.gid)
  const files = join(folder, 'files')
  const options = { ...owner, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC' } }

  await run(join(bin, 'initdb'), ['-D', files, '-U', 'latchkey', '-A', 'trust', '-E', 'UTF8', '--no-sync'], options)
  const flags = ['-D', files, '-k', folder, '-c', 'listen_addresses=', '-c', 'fsync=off', '-c', 'shared_buffers=16MB']
  let server: ChildProcess
  let ended: Promise<void>

  async function start(): Promise<void> {
    const started = spawn(join(bin, 'postgres'), flags, { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
    server = started
    ended = new Promise<void>((resolve) => started.once('exit', () => resolve()))
    await new Promise<void>((resolve, reject) => {
      let output = ''
      started.stderr.on('data', (chunk: Buffer) => {
        output = `${output}${chunk.toString()}`.slice(-4000)
        if (output.includes('ready to accept connections')) resolve()
      })
      started.once('exit', () => reject(new Error(`PostgreSQL did not start: ${output}`)))
    })
  }

  /** Sends a signal to the server and to the processes for its connections. */
  async function signal(name: 'STOP' | 'CONT' | 'KILL'): Promise<void> {
    const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid='])
    const all = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number))
    const own = all.filter(([, parent]) => parent === server.pid).map(([pid = 0]) => pid)
    for (const pid of [server.pid ?? 0, ...own]) {
      try {
        process.kill(pid, `SIG${name}`)
      } catch {
        // The process has already exited.
      }
    }
  }

  await start()
  return {
    url: `postgres://latchkey@localhost/postgres?host=${encodeURIComponent(folder)}`,
    start,
    freeze: () => signal('STOP'),
    thaw: () => signal('CONT'),
    kill: async () => {
      await signal('KILL')
      await ended
    },
    stop: async () => {
      server.kill('SIGINT')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function binaries(): string {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  const found = [
    ...versions.map((version) => join(root, version, 'bin')),
    '/usr/local/bin',
    '/usr/bin',
    '/opt/homebrew/bin',
  ].find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
  if (!found)
    throw new Error('This test requires PostgreSQL: install the package "postgresql" (apt-get install postgresql).')
  return found
}

async function postgresUser(): Promise<{ uid: number; gid: number }> {
  const line = (await readFile('/etc/passwd', 'utf8')).split('\n').find((entry) => entry.startsWith('postgres:'))
  const [, , uid, gid] = line?.split(':') ?? []
  if (!uid || !gid) throw new Error('This test runs as root and requires the user "postgres" to run PostgreSQL.')
  return { uid: Number(uid), gid: Number(gid) }
}
