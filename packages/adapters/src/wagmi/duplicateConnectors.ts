import * as v from 'valibot'
import type { WagmiEmitter, WagmiStorage } from './wagmiTypes.ts'

/** A connection that wagmi holds in addition to ours. */
interface Rival {
  readonly uid: string
  readonly id: string
}

/**
 * Handles wagmi's own connections to wallets. wagmi creates a connector for each announced wallet (EIP-6963), and connects it
 * automatically on page load or when the wallet reports accounts, because the wallet has approved the page before. The wallet
 * would then be connected twice, and stay connected in wagmi after disconnecting here.
 */
export interface DuplicateConnectors {
  /** Prevents wagmi from automatically connecting our wallet at the next load, and from trying another connector before ours. */
  shun(): Promise<void>
  /** Does the same, and ends connections that wagmi has made automatically or makes within a few seconds. */
  keepOut(): void
  /** Ends the connection to our wallet. */
  leave(): Promise<void>
  /** Ends all of wagmi's own connections, then calls `done`. */
  leaveAll(done: () => void): void
}

interface Surroundings {
  readonly emitter: WagmiEmitter
  readonly storage: WagmiStorage | null | undefined
  /** The rdns of the connected wallet, which is the ID of wagmi's own connector. */
  readonly rdns: () => string | undefined
}

/** How long to watch for automatic connections. */
const settleMs = 4_000

/** Finds the other connections of the wagmi config that `storage` and `emitter` belong to. Without storage, wagmi does not reconnect either. */
export function findDuplicateConnectors({ emitter, storage, rdns }: Surroundings): DuplicateConnectors {
  let timer: ReturnType<typeof setTimeout> | undefined
  if (!storage) return { shun: async () => {}, keepOut() {}, leave: async () => {}, leaveAll: (done) => done() }

  /** Marks a connector as disconnected, like wagmi's own `disconnect`. */
  const shunned = async (id: string) => {
    await storage.setItem(`${id}.disconnected`, true)
    if (id === 'injected') await storage.removeItem('injected.connected')
  }

  const shun = async () => {
    const ours = rdns()
    await storage.setItem('recentConnectorId', 'latchkey')
    if (ours) await shunned(ours)
  }

  const end = async (which: (rival: Rival) => boolean) => {
    const found = rivalsOf(await storage.getItem('store')).filter(which)
    for (const { uid, id } of found) {
      await shunned(id)
      // A connector has no access to its config. wagmi uses the uid in the event, which defaults to the emitter's own.
      emitter.emit('disconnect', { uid })
    }
  }

  const leave = async () => {
    const ours = rdns()
    if (ours) await end(({ id }) => id === ours)
  }

  const keepOut = (waitMs = 50) => {
    clearTimeout(timer)
    shun().then(leave, () => {})
    if (waitMs < settleMs) timer = setTimeout(keepOut, waitMs, waitMs * 2)
  }

  return {
    shun: () => shun().catch(() => {}),
    keepOut,
    leave: () => leave().catch(() => {}),
    leaveAll(done) {
      clearTimeout(timer)
      end(() => true).then(done, done)
    },
  }
}

const stored = v.object({
  state: v.object({
    connections: v.map(v.string(), v.object({ connector: v.object({ id: v.string(), uid: v.string() }) })),
  }),
})

function rivalsOf(store: unknown): readonly Rival[] {
  const read = v.safeParse(stored, store)
  if (!read.success) return []
  return [...read.output.state.connections.values()]
    .map(({ connector }) => connector)
    .filter(({ id }) => id !== 'latchkey')
}
