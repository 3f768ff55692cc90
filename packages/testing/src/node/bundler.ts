import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type Hex, toHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { entryPoints } from './accountContracts.ts'
import { cacheFolder } from './anvilBinary.ts'
import { npm } from './pinnedPackage.ts'

/** An ERC-4337 bundler that runs until `stop()`. */
export interface Bundler {
  /** The RPC URL, on 127.0.0.1. */
  readonly url: string
  /** The process ID. */
  readonly pid: number
  /** Resolves when the process has exited, for any reason. */
  readonly gone: Promise<void>
  /** Kills the process. Resolves once it has exited. */
  stop(): Promise<void>
}

const version = '0.0.20'

/** The dependencies to install: the bundler, and a single version of viem. */
const manifest = {
  name: 'latchkey-local-bundler',
  private: true,
  dependencies: { '@pimlico/alto': version },
  overrides: { viem: '2.57.1', ox: '0.14.45' },
}

/**
 * Starts a bundler for a local chain on a free port, and waits until it responds. The bundler (alto, GPL-3.0) is a separate
 * program. It is downloaded through npm on first use, with a pinned lockfile, and is never shipped. Set LATCHKEY_BUNDLER to use
 * an existing program.
 *
 * @example
 * const bundler = await startBundler({ rpcUrl: anvil.url })
 */
export async function startBundler({
  rpcUrl,
  say = () => {},
  signal,
}: {
  rpcUrl: string
  say?: (line: string) => void
  /** Cancels the start when aborted. */
  signal?: AbortSignal
}): Promise<Bundler> {
  const program = await bundlerProgram({ say, signal })
  const port = await freePort()
  signal?.throwIfAborted()
  const url = `http://127.0.0.1:${port}`
  const flags = {
    entrypoints: Object.values(entryPoints).join(','),
    'rpc-url': rpcUrl,
    port: String(port),
    'executor-private-keys': testKey(8),
    'utility-private-key': testKey(9),
    // The bundler's tracer does not support anvil.
    'safe-mode': 'false',
    'min-bundle-interval': '50',
    'max-bundle-interval': '100',
    'block-time': '100',
    'block-number-cache-ttl': '0',
    'log-level': 'fatal',
  }
  const child = spawn(
    process.execPath,
    [program, ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value])],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const kill = (): void => {
    child.kill('SIGKILL')
  }
  // Kills the bundler when this process exits, as with the chain.
  process.once('exit', kill)
  let ended = false
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = `${output}${text}`.slice(-2000)
  })
  const gone = new Promise<void>((resolve) =>
    child.once('close', () => {
      ended = true
      resolve()
    }),
  )
  void gone.then(() => process.removeListener('exit', kill))
  const stop = async (): Promise<void> => {
    // The bundler has no state that a graceful shutdown would save.
    kill()
    await gone
  }
  const deadline = Date.now() + 60_000
  while (!(await answers(url))) {
    if (ended || signal?.aborted || Date.now() > deadline) {
      await stop()
      throw new Error(`The bundler did not start.\n${output}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return { url, pid: child.pid as number, gone, stop }
}

async function answers(url: string): Promise<boolean> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_supportedEntryPoints', params: [] }),
  }).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** Resolves to the path of the bundler's program. Downloads the program first if it is missing. */
export async function bundlerProgram({
  say = () => {},
  signal,
}: {
  say?: (line: string) => void
  signal?: AbortSignal | undefined
} = {}): Promise<string> {
  const own = process.env.LATCHKEY_BUNDLER
  if (own) return own
  const folder = join(cacheFolder(), `alto-${version}`)
  const program = join(folder, 'node_modules/@pimlico/alto/esm/cli/alto.js')
  if (await readFile(program).catch(() => undefined)) return program
  say(
    `Downloading the smart account bundler (first use only): @pimlico/alto@${version}, 340 MB with its dependencies, to ${folder}`,
  )
  await mkdir(cacheFolder(), { recursive: true })
  const scratch = await mkdtemp(join(cacheFolder(), 'fetch-'))
  try {
    const { bundlerLockfile: bundlerLock } = await import('./bundlerLockfile.ts')
    await writeFile(join(scratch, 'package.json'), JSON.stringify(manifest))
    await writeFile(join(scratch, 'package-lock.json'), bundlerLock)
    // Not `npm ci`, because it rejects a lockfile without the optional builds for other platforms.
    const args = [
      'install',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--omit=dev',
      '--omit=optional',
      '--legacy-peer-deps',
    ]
    await npm(args, { cwd: scratch, signal })
    // The rename is atomic. If another process has already created the folder, that folder is used.
    await rename(scratch, folder).catch(() => undefined)
    return program
  } catch (cause) {
    throw new Error(
      `The bundler could not be downloaded (@pimlico/alto@${version}). If you are offline, set LATCHKEY_BUNDLER to the path of an existing bundler.`,
      { cause },
    )
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** Returns the private key of an account that is funded on every local chain. */
function testKey(addressIndex: number): Hex {
  const account = mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex })
  return toHex(account.getHdKey().privateKey as Uint8Array)
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
