import type { Session, SessionEvents } from '@latchkey/core/adapter'
import { accountId, type ChainId } from '@latchkey/protocol/caip'
import { sessionListeners } from '../shared/sessionListeners.ts'
import { hexChainId } from './chainId.ts'

/** The accounts, chain and health of an EVM session, and the events that report changes. */
export interface EvmSessionState {
  /** The checksummed addresses. The active address is first. */
  readonly addresses: readonly string[]
  readonly accounts: Session<'eip155'>['accounts']
  readonly chain: ChainId<'eip155'>
  readonly hasEnded: boolean
  readonly on: Session<'eip155'>['on']
  setAddresses(next: readonly string[]): void
  setChain(next: ChainId<'eip155'>): void
  setHealth(next: SessionEvents['health']): void
  /** Emits the event that reports a sent transaction. */
  sent(): void
  /** Ends the session without emitting an event, and ignores later changes. Returns `false` if it had already ended. */
  end(): boolean
  /** Marks the session as ended by the wallet and emits `disconnect`. */
  lost(): void
  /** Waits until the chain changes or the session ends. */
  nextChain(): { readonly seen: Promise<void>; cancel(): void }
}

/** Creates the session state. Account and chain changes are also emitted as EIP-1193 events. */
export function createEvmSessionState(initial: {
  readonly addresses: readonly string[]
  readonly chain: ChainId<'eip155'>
  readonly checksum: (address: string) => string
  /** Emits an EIP-1193 event. */
  emit(event: string, value: unknown): void
  /** Called once, when the session ends. */
  ended(): void
}): EvmSessionState {
  const { checksum, emit } = initial
  const { on, emit: notify } = sessionListeners<'eip155'>()
  let addresses = initial.addresses.map(checksum)
  let { chain } = initial
  let health: SessionEvents['health'] = 'ok'
  let hasEnded = false
  /** Whether the wallet, rather than the page, ended the session. */
  let wasLost = false
  const accounts = () =>
    addresses.map((address) => accountId(chain, address)) as unknown as Session<'eip155'>['accounts']

  const end = (): boolean => {
    if (hasEnded) return false
    hasEnded = true
    initial.ended()
    return true
  }

  return {
    get addresses() {
      return addresses
    },
    get accounts() {
      return accounts()
    },
    get chain() {
      return chain
    },
    get hasEnded() {
      return hasEnded
    },
    on(event, listener) {
      const off = on(event, listener)
      let isOn = true
      // Notify listeners that are added after the session has ended, so that no caller keeps using an ended session.
      if (event === 'disconnect' && wasLost)
        queueMicrotask(() => isOn && (listener as (value: undefined) => void)(undefined))
      return () => {
        isOn = false
        off()
      }
    },
    setAddresses(next) {
      const checked = next.map(checksum)
      if (hasEnded || checked.join() === addresses.join()) return
      addresses = checked
      notify('accounts', accounts())
      emit('accountsChanged', [...checked])
    },
    setChain(next) {
      if (hasEnded || next === chain) return
      chain = next
      notify('chain', next)
      emit('chainChanged', hexChainId(next))
    },
    setHealth(next) {
      if (hasEnded || health === next) return
      health = next
      notify('health', next)
    },
    sent: () => notify('sent', undefined),
    end,
    lost() {
      if (!end()) return
      wasLost = true
      notify('disconnect', undefined)
    },
    nextChain() {
      let offs: (() => void)[] = []
      const seen = new Promise<void>((resolve) => {
        if (hasEnded) return resolve()
        offs = [on('chain', () => resolve()), on('disconnect', () => resolve())]
      })
      return {
        seen,
        cancel() {
          for (const off of offs) off()
        },
      }
    },
  }
}
