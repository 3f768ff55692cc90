import type { Eip1193Provider } from '@latchkey/core/adapter'

type Listener = (value: never) => void

/** The EIP-1193 provider of a session, for ethers, viem, wagmi or by hand. It outlives changes of account and chain, and reconnecting. */
export interface EvmProvider extends Eip1193Provider {
  request(call: { method: string; params?: unknown }): Promise<unknown>
  on(event: string, listener: Listener): EvmProvider
  once(event: string, listener: Listener): EvmProvider
  removeListener(event: string, listener: Listener): EvmProvider
  off(event: string, listener: Listener): EvmProvider
}

/** Who answers behind a facade. */
export interface Target {
  accounts(): readonly string[]
  request(call: { method: string; params?: unknown }): Promise<unknown>
}

/** A provider with changeable insides. */
export interface ProviderProxy {
  readonly provider: EvmProvider
  /** Puts `behind` behind it. */
  enter(behind: Target): void
  /** Takes `behind` away again, unless another has come. */
  leave(behind: Target): void
  emit(behind: Target, event: string, value: unknown): void
}

/** A provider that answers through whoever has entered, and like a disconnected wallet when nobody has. */
export function createProviderProxy(): ProviderProxy {
  const listeners = new Map<string, Set<Listener>>()
  const originals = new WeakMap<Listener, Listener>()
  let now: Target | undefined

  const tell = (event: string, value: unknown) => {
    for (const listener of [...(listeners.get(event) ?? [])]) {
      try {
        listener(value as never)
      } catch (error) {
        // One listener's mistake is not the others': report it as the browser does for its own events.
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }

  const provider: EvmProvider = {
    async request(call) {
      // The session knows which account is active; the wallet need not be asked, nor a visitor prompted again.
      if (call.method === 'eth_accounts') return [...(now?.accounts() ?? [])]
      if (!now) throw disconnected()
      if (call.method === 'eth_requestAccounts') return [...now.accounts()]
      return now.request(call)
    },
    on(event, listener) {
      const all = listeners.get(event) ?? new Set()
      listeners.set(event, all.add(listener))
      return provider
    },
    once(event, listener) {
      const first: Listener = (value) => {
        provider.removeListener(event, listener)
        listener(value)
      }
      originals.set(listener, first)
      return provider.on(event, first)
    },
    removeListener(event, listener) {
      const first = originals.get(listener)
      if (first) listeners.get(event)?.delete(first)
      listeners.get(event)?.delete(listener)
      return provider
    },
    off: (event, listener) => provider.removeListener(event, listener),
  }

  return {
    provider,
    enter(behind) {
      now = behind
    },
    leave(behind) {
      if (now !== behind) return
      now = undefined
      tell('accountsChanged', [])
      tell('disconnect', disconnected())
    },
    emit(behind, event, value) {
      if (now === behind) tell(event, value)
    },
  }
}

/** What EIP-1193 prescribes for a provider that is cut off. */
function disconnected(): Error & { code: number } {
  return Object.assign(new Error('The wallet is not connected.'), { code: 4900 })
}
