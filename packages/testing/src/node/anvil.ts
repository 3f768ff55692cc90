import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { type LocalChain, localChain } from '../localChain.ts'
import { anvilBinary } from './anvilBinary.ts'

/** A local EVM chain that runs until `stop()` is called. */
export interface Anvil {
  /** The RPC URL, on 127.0.0.1. */
  readonly url: string
  /** The port that the chain listens on. */
  readonly port: number
  /** The process ID. */
  readonly pid: number
  /** The chain for viem and `evm()`, with this RPC URL. */
  readonly chain: LocalChain
  /** Stops the process. Resolves once it has exited. */
  stop(): Promise<void>
}

/**
 * Starts anvil. If the pinned binary is missing, it is downloaded first. With port 0, the default, a free port is used.
 *
 * @example
 * const { chain, stop } = await startAnvil()
 * const wallet = scriptedWallet({ chains: [chain] })
 */
export async function startAnvil({
  port = 0,
  chainId = 31337,
  name,
  say,
}: {
  port?: number
  chainId?: number
  name?: string
  say?: (line: string) => void
} = {}): Promise<Anvil> {
  const binary = await anvilBinary(say ? { say } : {})
  const child = spawn(binary, ['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(chainId)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // Kills the chain when this process exits, so that the chain does not outlive a crash or Ctrl-C.
  const kill = (): void => {
    child.kill('SIGKILL')
  }
  process.once('exit', kill)
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  void gone.then(() => process.removeListener('exit', kill))
  const listening = await portOf(child)
  const url = `http://127.0.0.1:${listening}`
  return {
    url,
    port: listening,
    pid: child.pid as number,
    chain: localChain({ rpcUrl: url, id: chainId, ...(name === undefined ? {} : { name }) }),
    async stop() {
      child.kill('SIGTERM')
      const timer = setTimeout(kill, 2_000)
      await gone
      clearTimeout(timer)
    },
  }
}

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    const lines: string[] = []
    const fail = (reason: string): void => {
      reject(new Error(`anvil did not start: ${reason}\n${lines.slice(-5).join('\n')}`))
    }
    child.once('error', (error) => fail(error.message))
    child.once('exit', (code) => fail(`it exited with ${code}`))
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue
      createInterface({ input: stream }).on('line', (line) => {
        if (lines.length < 100) lines.push(line)
        const found = /Listening on \S+:(\d+)/.exec(line)
        if (found) resolve(Number(found[1]))
      })
    }
  })
}
