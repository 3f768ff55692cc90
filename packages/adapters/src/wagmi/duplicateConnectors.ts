import * as v from 'valibot'
import type { WagmiEmitter, WagmiStorage } from './types.ts'

/** One connection that wagmi holds beside ours. */
interface Rival {
  readonly uid: string
  readonly id: string
}

/**
 * wagmi's own connections beside ours. It makes a connector of each announced wallet (EIP-6963), and connects it by itself when the page
 * loads or the wallet tells of accounts, because the wallet has answered this page before. The wallet would then be connected twice, and
 * leaving it here would leave it connected there.
 */
export interface DuplicateConnectors {
  /** Keeps wagmi from connecting our wallet by itself at the next load, and from trying another connector before ours. */
  shun(): Promise<void>
  /** The same, and ends what it connected by itself, also a moment later. */
  keepOut(): void
  /** Ends the connection to our wallet. */
  leave(): Promise<void>
  /** Ends all of them, then calls `done`. */
  leaveAll(done: () => void): void
}

interface Surroundings {
  readonly emitter: WagmiEmitter
  readonly storage: WagmiStorage | null | undefined
  /** The rdns of the wallet that is connected here, which wagmi takes as the id of its own connector. */
  readonly rdns: () => string | undefined
}

/** How long wagmi may take to connect by itself what a wallet tells it. */
const settleMs = 4_000

/** The other connections of the wagmi config that `storage` and `emitter` belong to. Without storage wagmi remembers nothing either. */
export function findDuplicateConnectors({ emitter, storage, rdns }: Surroundings): DuplicateConnectors {
  let timer: ReturnType<typeof setTimeout> | undefined
  if (!storage) return { shun: async () => {}, keepOut() {}, leave: async () => {}, leaveAll: (done) => done() }

  /** As wagmi's own `disconnect` notes it down. */
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
      // A connector is not given its config. wagmi acts on the uid in the message, which is the emitter's own unless it says another.
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
