import type { Eip1193Provider } from '@latchkey/core/adapter'

type Listener = (value: never) => void

/**
 * The EIP-1193 provider for a session, for use with ethers, viem or wagmi, or directly. The object stays the same when the
 * account or chain changes and when the wallet reconnects.
 */
export interface EvmProvider extends Eip1193Provider {
  /** Sends a request to the wallet. Rejects with code 4900 if there is no session, and with 4001 if the user declines. */
  request(call: { method: string; params?: unknown }): Promise<unknown>
  /** Adds a listener, which also receives events from later sessions. Returns the provider. */
  on(event: string, listener: Listener): EvmProvider
  /** Adds a listener for the next event only. Returns the provider. */
  once(event: string, listener: Listener): EvmProvider
  /** Removes a listener that was added with `on` or `once`. Returns the provider. */
  removeListener(event: string, listener: Listener): EvmProvider
  /** Alias for `removeListener`. */
  off(event: string, listener: Listener): EvmProvider
}

/** The session to which a proxy forwards requests. */
export interface Target {
  accounts(): readonly string[]
  request(call: { method: string; params?: unknown }): Promise<unknown>
}

/** A provider whose session can be replaced. */
export interface ProviderProxy {
  readonly provider: EvmProvider
  /** Sets the current session. */
  enter(behind: Target): void
  /** Removes the session, unless a different session has replaced it. */
  leave(behind: Target): void
  emit(behind: Target, event: string, value: unknown): void
}

/** Creates a provider that forwards requests to the current session. Without one, it acts like a disconnected wallet. */
export function createProviderProxy(): ProviderProxy {
  const listeners = new Map<string, Set<Listener>>()
  const originals = new WeakMap<Listener, Listener>()
  let now: Target | undefined

  const emit = (event: string, value: unknown) => {
    for (const listener of [...(listeners.get(event) ?? [])]) {
      try {
        listener(value as never)
      } catch (error) {
        // An error in one listener must not affect the others. Report it as an uncaught error, as browsers do.
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }

  const provider: EvmProvider = {
    async request(call) {
      // Return the session's accounts, because a request to the wallet could prompt the user again.
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
      emit('accountsChanged', [])
      emit('disconnect', disconnected())
    },
    emit(behind, event, value) {
      if (now === behind) emit(event, value)
    },
  }
}

/** Creates the EIP-1193 error for a disconnected provider. */
function disconnected(): Error & { code: number } {
  return Object.assign(new Error('The wallet is not connected.'), { code: 4900 })
}
