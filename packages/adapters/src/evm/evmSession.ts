import type { AccountDetails, Clock, Connector, Eip1193Provider, Network, Session } from '@latchkey/core/adapter'
import type { ChainId } from '@latchkey/protocol/caip'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { responseTimeoutMs, unlessAborted, withTimeout } from '../shared/responseTimeout.ts'
import { toWalletError, wasDisconnected } from '../shared/walletErrors.ts'
import { readChainId } from './chainId.ts'
import { callProvider, onProviderEvent } from './eip1193Provider.ts'
import { createEvmCapabilities } from './evmCapabilities.ts'
import { createEvmRequests } from './evmRequests.ts'
import { createEvmSessionState } from './evmSessionState.ts'
import { createProviderProxy, type EvmProvider, type ProviderProxy, type Target } from './providerProxy.ts'
import { readAddresses } from './readAddresses.ts'
import { revokePermission } from './revokePermission.ts'
import { switchChain } from './switchChain.ts'

/** The timeout for disconnecting the wallet. */
const leaveMs = 3_000

/** An eip155 wallet session with an EIP-1193 provider. */
export interface EvmSession extends Session<'eip155'> {
  /** The EIP-1193 provider, for use with the host's own library. All sessions of a connector share the same object. */
  readonly provider: EvmProvider
  /** Sends a request to the wallet. Rejects with the wallet's own errors. */
  request(call: { method: string; params?: unknown }): Promise<unknown>
}

/** Parameters for `openSession`. */
export interface Opening {
  readonly connector: Connector<'eip155'>
  readonly provider: Eip1193Provider | Promise<Eip1193Provider>
  /** State that the connector keeps between sessions. */
  readonly stored: { facade?: ProviderProxy }
  readonly clock: Clock
  readonly networkOf: (chain: ChainId<'eip155'>) => Network<'eip155'> | undefined
  /** Disconnects the wallet. By default, the page's permission is revoked. */
  readonly leave?: (() => Promise<unknown>) | undefined
  /** Returns details about the first account. Called on each access. */
  readonly details?: (() => AccountDetails) | undefined
  /** Checks whether the wallet is reachable. By default, the check requests the wallet's chain. */
  readonly lives?: (() => Promise<boolean>) | undefined
  /** Whether the wallet uses the nonce of a transaction request. Default: `false`. */
  readonly acceptsNonce?: boolean | undefined
  readonly request: { readonly chain?: ChainId<'eip155'>; readonly silent?: boolean; readonly signal: AbortSignal }
}

/** Opens a session. Resolves once the wallet has returned its accounts and chain. */
export async function openSession(opening: Opening): Promise<EvmSession> {
  const { connector, request } = opening
  try {
    return await open(opening, await unlessAborted(Promise.resolve(opening.provider), request.signal))
  } catch (error) {
    throw toWalletError(error, { request: 'connect', connectorId: connector.id })
  }
}

async function open(opening: Opening, provider: Eip1193Provider): Promise<EvmSession> {
  const { connector, stored, clock, networkOf, request } = opening
  const { silent = false, signal } = request
  stored.facade ??= createProviderProxy()
  const { facade } = stored
  const connectorId = connector.id
  const walletError = (error: unknown, request: string) => toWalletError(error, { request, connectorId })
  const wallet = (method: string, params?: unknown) => callProvider(provider, method, params)
  const requestSoon = (method: string, params?: unknown) =>
    withTimeout(
      wallet(method, params),
      responseTimeoutMs,
      clock,
      () => new LatchkeyError('wallet/unresponsive', { connectorId }),
    )

  // Send this request before loading anything else, because a wallet that opens a window needs user activation.
  const response = silent ? requestSoon('eth_accounts') : wallet('eth_requestAccounts')
  const checksummer = import('./viem/checksum.ts')
  checksummer.catch(() => {})
  const first = await unlessAborted(response, signal).catch((error) => {
    throw walletError(error, silent ? 'eth_accounts' : 'eth_requestAccounts')
  })

  // From here on, handle events even while the initial state is still being read.
  let earlyAccounts: readonly string[] | undefined
  let earlyChain: ChainId<'eip155'> | undefined
  let events: EvmSessionEvents | undefined
  const stopListening = onProviderEvent(provider, {
    accountsChanged: (value: unknown) => {
      const accounts = readAddresses(value)
      if (!accounts) return
      if (events) events.accountsChanged(accounts)
      else earlyAccounts = accounts
    },
    chainChanged: (value: unknown) => {
      const chain = readChainId(value)
      if (!chain) return
      if (events) events.chainChanged(chain)
      else earlyChain = chain
    },
    disconnect: () => events?.disconnected(),
    connect: () => events?.connected(),
    message: (value: unknown) => events?.message(value),
  })

  try {
    const found = readAddresses(first)
    const latestAccounts = () => {
      const accounts = earlyAccounts ?? found
      if (!accounts) throw new LatchkeyError('wallet/failed', { message: 'It returned invalid accounts.' })
      if (accounts.length === 0) throw new LatchkeyError('wallet/not-authorized', { connectorId })
      return accounts
    }
    latestAccounts()
    const chainId = await unlessAborted(requestSoon('eth_chainId'), signal).catch((error) => {
      throw walletError(error, 'eth_chainId')
    })
    const chain = earlyChain ?? readChainId(chainId)
    if (!chain) throw new LatchkeyError('wallet/failed', { message: 'It returned an invalid chain ID.' })
    const { getAddress } = await unlessAborted(checksummer, signal)

    const created = createSession({
      ...opening,
      facade,
      // Check the accounts again, because the wallet might have revoked access while its chain was being read.
      addresses: latestAccounts(),
      chain,
      checksum: (address) => getAddress(address as `0x${string}`),
      stopListening,
      wallet,
      requestSoon,
    })
    const { session } = created
    events = created.events
    // A restored session stays on the wallet's chain, because switching would prompt the user.
    if (!silent && request.chain && request.chain !== session.chain) {
      const network = networkOf(request.chain)
      if (!network) throw new LatchkeyError('network/not-found', { chain: request.chain })
      await unlessAborted(created.switchTo(network), signal)
    }
    facade.enter(created.target)
    return session
  } catch (error) {
    stopListening()
    throw error
  }
}

/** Handlers for the wallet's events, available once the session is open. */
interface EvmSessionEvents {
  accountsChanged(addresses: readonly string[]): void
  chainChanged(chain: ChainId<'eip155'>): void
  disconnected(): void
  connected(): void
  message(value: unknown): void
}

/** Creates the session from the state that the wallet has returned. */
function createSession({
  connector,
  facade,
  clock,
  stopListening,
  wallet,
  requestSoon,
  leave,
  lives,
  details,
  acceptsNonce = false,
  ...initial
}: Opening & {
  readonly facade: ProviderProxy
  readonly addresses: readonly string[]
  readonly chain: ChainId<'eip155'>
  readonly checksum: (address: string) => string
  readonly stopListening: () => void
  readonly wallet: (method: string, params?: unknown) => Promise<unknown>
  readonly requestSoon: (method: string, params?: unknown) => Promise<unknown>
}): {
  readonly session: EvmSession
  readonly target: Target
  readonly events: EvmSessionEvents
  switchTo(network: Network<'eip155'>): Promise<void>
} {
  const connectorId = connector.id
  let disconnecting: Promise<void> | undefined
  let checksAccounts = false

  const state = createEvmSessionState({
    ...initial,
    emit: (event, value) => facade.emit(target, event, value),
    ended() {
      stopListening()
      facade.leave(target)
    },
  })
  const { request, ping } = createEvmRequests({ wallet, state, clock, connectorId, lives })
  const target: Target = {
    accounts: () => state.addresses,
    request: ({ method, params }) => request(method, params),
  }

  const switchTo = async (network: Network<'eip155'>): Promise<void> => {
    const notAuthorized = () => new LatchkeyError('wallet/not-authorized', { connectorId })
    if (state.hasEnded) throw notAuthorized()
    if (network.caipNetworkId === state.chain) return
    const { nextChain } = state
    const chain = await switchChain({ network, connectorId, clock, request, nextChain }).catch((error) => {
      throw state.hasEnded ? notAuthorized() : error
    })
    if (state.hasEnded) throw notAuthorized()
    state.setChain(chain)
  }

  const session: EvmSession = {
    connector,
    get accounts() {
      return state.accounts
    },
    get chain() {
      return state.chain
    },
    get details() {
      return details?.()
    },
    provider: facade.provider,
    request: target.request,
    can: {
      ...createEvmCapabilities({ state, connectorId, request, requestSoon, acceptsNonce }),
      switchChain: switchTo,
    },
    on: state.on,
    ping,
    disconnect() {
      disconnecting ??= (async () => {
        if (!state.end()) return
        const left = leave ? leave() : revokePermission(wallet)
        await withTimeout(left, leaveMs, clock, () => new LatchkeyError('wallet/unresponsive', { connectorId })).catch(
          () => {},
        )
      })()
      return disconnecting
    },
  }

  const events: EvmSessionEvents = {
    accountsChanged(addresses) {
      if (addresses.length === 0) return state.lost()
      state.setHealth('ok')
      state.setAddresses(addresses)
    },
    chainChanged(chain) {
      state.setHealth('ok')
      state.setChain(chain)
    },
    disconnected() {
      // In EIP-1193, `disconnect` means that the provider is disconnected from all chains, which can be temporary. Some wallets
      // emit it when the session ends. Request the accounts to tell the two cases apart.
      if (checksAccounts) return
      checksAccounts = true
      requestSoon('eth_accounts')
        .then(
          (value) => (readAddresses(value)?.length ? state.setHealth('ok') : state.lost()),
          (error) => (wasDisconnected(error) ? state.setHealth('silent') : state.lost()),
        )
        .finally(() => {
          checksAccounts = false
        })
    },
    connected: () => void session.ping(),
    message: (value) => facade.emit(target, 'message', value),
  }
  return { session, target, events, switchTo }
}
