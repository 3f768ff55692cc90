import type { Eip1193Provider, Session } from '@latchkey/core/adapter'
import { addressOf, type ChainId } from '@latchkey/protocol/caip'
import { type Address, type Chain, SwitchChainError, toHex, UserRejectedRequestError } from 'viem'
import { wasRejected } from '../shared/walletErrors.ts'
import { findDuplicateConnections } from './duplicateConnections.ts'
import type { LatchkeyForWagmi, WagmiEmitter, WagmiStorage } from './wagmiTypes.ts'

/** The part of wagmi's connector config that the connector uses. */
export interface WagmiConnectorConfig {
  /** The chains in the wagmi config. The first one is reported while no wallet is connected. */
  readonly chains: readonly [Chain, ...Chain[]]
  /** Notifies wagmi of changes that were made through Latchkey. */
  readonly emitter: WagmiEmitter
  /** wagmi's storage, used to end wagmi's own connections to the same wallet. Without storage, wagmi does not reconnect. */
  readonly storage?: WagmiStorage | null | undefined
}

/** The accounts in the format that wagmi requests: with capabilities (v3) or as plain addresses. */
export type WagmiAccounts<WithCapabilities extends boolean> = WithCapabilities extends true
  ? readonly { address: Address; capabilities: Record<string, unknown> }[]
  : readonly Address[]

/**
 * A connector for wagmi v2 and v3. This is a type rather than an interface, because an interface is not assignable to wagmi's
 * record of additional properties.
 */
export type LatchkeyConnector = {
  readonly id: 'latchkey'
  readonly name: string
  readonly type: 'latchkey'
  setup(): Promise<void>
  connect<WithCapabilities extends boolean = false>(params?: {
    chainId?: number | undefined
    isReconnecting?: boolean | undefined
    withCapabilities?: WithCapabilities | boolean | undefined
  }): Promise<{ accounts: WagmiAccounts<WithCapabilities>; chainId: number }>
  disconnect(): Promise<void>
  getAccounts(): Promise<readonly Address[]>
  getChainId(): Promise<number>
  getProvider(): Promise<Eip1193Provider>
  isAuthorized(): Promise<boolean>
  switchChain(params: { chainId: number }): Promise<Chain>
  onAccountsChanged(accounts: string[]): void
  onChainChanged(chainId: string): void
  onDisconnect(): void
}

/**
 * Creates a connector for wagmi v2 and v3 that uses Latchkey's session. Connecting, disconnecting and switching chains are
 * synchronized in both directions.
 *
 * @example
 * createConfig({ chains: [mainnet], transports: { [mainnet.id]: http() }, connectors: [latchkeyConnector(latchkey)] })
 */
export function latchkeyConnector(
  latchkey: LatchkeyForWagmi,
  { name = 'Latchkey' }: { readonly name?: string } = {},
): (config: WagmiConnectorConfig) => LatchkeyConnector {
  return ({ chains, emitter, storage }) => {
    const provider = followingProvider(latchkey)
    const rivals = findDuplicateConnections({
      emitter,
      storage,
      rdns: () => latchkey.session('eip155')?.connector.rdns,
    })
    /** The number of pending calls from wagmi. wagmi handles the results of these calls itself and needs no events. */
    let asking = 0
    let retry: (() => void) | undefined

    const now = () => {
      const session = latchkey.session('eip155')
      return session && { accounts: accountsOf(latchkey, session), chainId: chainIdOf(session) }
    }

    /** Notifies wagmi of the connection. Retries, because wagmi ignores events while it connects or reconnects. */
    const announce = (waitMs = 50) => {
      retry?.()
      retry = undefined
      const connected = now()
      if (!connected || asking > 0) return
      // wagmi listens for changes only while this connector is connected.
      if (emitter.listenerCount('change') > 0) return emitter.emit('change', connected)
      emitter.emit('connect', connected)
      if (emitter.listenerCount('change') > 0 || waitMs > 20_000) return
      const timer = setTimeout(announce, waitMs, waitMs * 2)
      retry = () => clearTimeout(timer)
    }

    const switchChain = async (chainId: number) => {
      const chain = chains.find(({ id }) => id === chainId)
      if (!chain) throw new SwitchChainError(new Error(`Chain ${chainId} is not in the wagmi config.`))
      try {
        await latchkey.switchNetwork(`eip155:${chainId}`)
      } catch (error) {
        if (wasRejected(error)) throw new UserRejectedRequestError(asError(error))
        throw new SwitchChainError(asError(error))
      }
      return chain
    }

    /** Runs an action that wagmi requested, without notifying wagmi of its effects. */
    const request = async <T>(action: () => Promise<T>): Promise<T> => {
      asking++
      try {
        return await action()
      } finally {
        asking--
      }
    }

    return {
      id: 'latchkey',
      name,
      type: 'latchkey',

      async setup() {
        // Wait, because wagmi calls `setup` while it is still creating its config.
        await undefined
        const eip155 = (listener: () => void) => (value: { readonly namespace: string }) => {
          if (value.namespace === 'eip155') listener()
        }
        for (const event of ['connect', 'accounts'] as const)
          latchkey.on(
            event,
            eip155(() => {
              announce()
              rivals.keepOut()
            }),
          )
        latchkey.on(
          'chain',
          eip155(() => now() && emitter.listenerCount('change') > 0 && announceChain()),
        )
        latchkey.on(
          'disconnect',
          eip155(() => {
            // If several wallets were connected, a different one might have become active.
            if (now()) announce()
            else if (asking === 0)
              rivals.leaveAll(() => {
                if (!now()) emitter.emit('disconnect')
              })
          }),
        )
        announce()
        if (now()) rivals.keepOut()
      },

      connect({ chainId, isReconnecting = false, withCapabilities = false } = {}) {
        return request(async () => {
          const session = isReconnecting ? await restored(latchkey) : await chosen(latchkey)
          if (!session)
            throw isReconnecting ? notConnected() : new UserRejectedRequestError(new Error('The modal was closed.'))
          if (chainId !== undefined && chainIdOf(session) !== chainId) await switchChain(chainId)
          await rivals.shun()
          const accounts = accountsOf(latchkey, session)
          const connected = withCapabilities ? accounts.map((address) => ({ address, capabilities: {} })) : accounts
          return { accounts: connected as never, chainId: chainIdOf(session) }
        })
      },

      disconnect: () =>
        request(async () => {
          await rivals.leave()
          await latchkey.disconnect({ namespace: 'eip155' })
        }),

      async getAccounts() {
        const session = latchkey.session('eip155')
        if (!session) throw notConnected()
        return accountsOf(latchkey, session)
      },

      async getChainId() {
        const session = latchkey.session('eip155')
        return session ? chainIdOf(session) : chains[0].id
      },

      getProvider: async () => provider,
      isAuthorized: async () => (await restored(latchkey)) !== undefined,
      switchChain: ({ chainId }) => switchChain(chainId),

      onAccountsChanged(accounts) {
        if (accounts.length === 0) emitter.emit('disconnect')
        else emitter.emit('change', { accounts: accounts as Address[] })
      },
      onChainChanged: (chainId) => emitter.emit('change', { chainId: Number(chainId) }),
      onDisconnect: () => emitter.emit('disconnect'),
    }

    function announceChain() {
      const connected = now()
      if (connected) emitter.emit('change', { chainId: connected.chainId })
    }
  }
}

/** Opens the modal unless a wallet is connected. Resolves to the session, or `undefined` if the user closes the modal. */
async function chosen(latchkey: LatchkeyForWagmi): Promise<Session | undefined> {
  const already = await restored(latchkey)
  if (already) return already
  latchkey.modal.open({ view: { view: 'Connect', data: undefined }, namespace: 'eip155' })
  let wasOpen = latchkey.state.get().modal.open
  return until(latchkey, () => {
    const { open } = latchkey.state.get().modal
    wasOpen ||= open
    return isBusy(latchkey) || (wasOpen ? open : !open)
  })
}

/** Resolves to the current session, if any. Once the instance has started, waits until a stored session is restored. */
async function restored(latchkey: LatchkeyForWagmi): Promise<Session | undefined> {
  if (latchkey.state.get().started) await latchkey.prepare().catch(() => undefined)
  return until(latchkey, () => isBusy(latchkey))
}

/** Resolves to the session once there is one, or to `undefined` once `waiting` returns `false`. */
function until(latchkey: LatchkeyForWagmi, waiting: () => boolean): Promise<Session | undefined> {
  return new Promise((resolve) => {
    const look = () => {
      const session = latchkey.session('eip155')
      if (!session && waiting()) return false
      resolve(session)
      return true
    }
    if (look()) return
    const stop = latchkey.state.subscribe(() => {
      if (look()) stop()
    })
  })
}

function isBusy(latchkey: LatchkeyForWagmi): boolean {
  const { status } = latchkey.account('eip155')
  return status === 'connecting' || status === 'reconnecting'
}

/** Creates a provider that stays the same for the lifetime of the page and forwards to the current session. */
function followingProvider(latchkey: LatchkeyForWagmi): Eip1193Provider {
  const listeners = new Map<string, Set<(value: never) => void>>()
  let stop: (() => void) | undefined
  const emit = (event: string, value: unknown) => {
    for (const listener of [...(listeners.get(event) ?? [])]) listener(value as never)
  }
  const follow = () => {
    const session = () => latchkey.session('eip155')
    const eip155 = (action: () => void) => (value: { readonly namespace: string }) => {
      if (value.namespace === 'eip155') action()
    }
    const accounts = () => {
      const live = session()
      emit('accountsChanged', live ? accountsOf(latchkey, live) : [])
    }
    const chain = () => {
      const live = session()
      if (live) emit('chainChanged', toHex(chainIdOf(live)))
    }
    const stops = [
      latchkey.on(
        'connect',
        eip155(() => {
          accounts()
          chain()
        }),
      ),
      latchkey.on('accounts', eip155(accounts)),
      latchkey.on('chain', eip155(chain)),
      latchkey.on('disconnect', eip155(accounts)),
    ]
    return () => {
      for (const unsubscribe of stops) unsubscribe()
    }
  }

  const following: Eip1193Provider = {
    async request(call) {
      const session = latchkey.session('eip155')
      if (session && call.method === 'eth_accounts') return accountsOf(latchkey, session)
      if (session) return (session.provider as Eip1193Provider).request(call)
      if (call.method === 'eth_accounts') return []
      throw Object.assign(new Error('The wallet is not connected.'), { code: 4900 })
    },
    on(event, listener) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
      stop ??= follow()
      return following
    },
    removeListener(event, listener) {
      listeners.get(event)?.delete(listener)
      if ([...listeners.values()].every(({ size }) => size === 0)) {
        stop?.()
        stop = undefined
      }
      return following
    },
  }
  return following
}

/** Returns the session's addresses, with the active address first. */
function accountsOf(latchkey: LatchkeyForWagmi, session: Session): readonly Address[] {
  const active = latchkey.account('eip155').address?.toLowerCase()
  const all = session.accounts.map((account) => addressOf(account) as Address)
  const first = all.find((address) => address.toLowerCase() === active)
  return first ? [first, ...all.filter((address) => address !== first)] : all
}

function chainIdOf({ chain }: { readonly chain: ChainId }): number {
  return Number(chain.slice(chain.indexOf(':') + 1))
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

/** Creates an error with the name of wagmi's error, which hosts can check. Importing the class would add a dependency. */
function notConnected(): Error {
  return Object.assign(new Error('Connector not connected.'), { name: 'ConnectorNotConnectedError' })
}
