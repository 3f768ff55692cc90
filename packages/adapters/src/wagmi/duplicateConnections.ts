import * as v from 'valibot'
import type { WagmiEmitter, WagmiStorage } from './wagmiTypes.ts'

/** The connector that wagmi uses for its own connection, in addition to ours. */
interface Rival {
  readonly uid: string
  readonly id: string
}

/**
 * Handles wagmi's own connections to wallets. wagmi creates a connector for each announced wallet (EIP-6963). If the wallet has
 * approved the page before, wagmi connects it automatically when the page loads or when the wallet reports accounts. The wallet
 * would then be connected twice, and would stay connected in wagmi after the user disconnects it in Latchkey.
 */
export interface DuplicateConnections {
  /** Prevents wagmi from automatically connecting our wallet on the next page load, or trying another connector before ours. */
  shun(): Promise<void>
  /** Calls `shun`, and ends duplicate connections that wagmi has made or makes automatically in the next few seconds. */
  keepOut(): void
  /** Ends wagmi's own connection to our wallet. */
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

/** The time during which to check for automatic connections. */
const settleMs = 4_000

/**
 * Creates the functions that end wagmi's own connections, which are listed in `storage`. Without storage, these functions do
 * nothing, because wagmi then does not reconnect wallets automatically.
 */
export function findDuplicateConnections({ emitter, storage, rdns }: Surroundings): DuplicateConnections {
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
      // A connector cannot access its config to disconnect other connectors. However, wagmi disconnects the connector that the
      // event's uid identifies.
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
