import type {
  AccountDetails,
  Clock,
  Connector,
  Eip1193Provider,
  Network,
  Session,
  SessionEvents,
} from '@latchkey/core/adapter'
import { fromHex, toHex } from '@latchkey/protocol/bytes'
import {
  type AccountId,
  accountId,
  addressOf,
  type ChainId,
  parseAccountId,
  toEvmAddress,
} from '@latchkey/protocol/caip'
import { LatchkeyError } from '@latchkey/protocol/errors'
import * as v from 'valibot'
import { toWalletError, wasDisconnected } from '../shared/walletErrors.ts'
import { readAddresses } from './addresses.ts'
import { hexChainId, readChainId, toQuantity } from './chainId.ts'
import { createProviderProxy, type EvmProvider, type ProviderProxy, type Target } from './providerProxy.ts'
import { answerMs, ask, listen, unlessAborted, within } from './requestTimeouts.ts'
import { switchChain } from './switchChain.ts'

/** Timeout for revoking the permission on disconnect. */
const leaveMs = 3_000

/** An eip155 wallet session with an EIP-1193 provider. */
export interface EvmSession extends Session<'eip155'> {
  readonly provider: EvmProvider
  /** Sends a request to the wallet. Rejects with the wallet's own errors. */
  request(call: { method: string; params?: unknown }): Promise<unknown>
}

/** Parameters of `openSession`. */
export interface Opening {
  readonly connector: Connector<'eip155'>
  readonly provider: Eip1193Provider | Promise<Eip1193Provider>
  /** State that the connector keeps between sessions. */
  readonly kept: { facade?: ProviderProxy }
  readonly clock: Clock
  readonly networkOf: (chain: ChainId<'eip155'>) => Network<'eip155'> | undefined
  /** Disconnects this wallet. Defaults to revoking its permission. */
  readonly leave?: (() => Promise<unknown>) | undefined
  /** Details of the first account, read on each access. */
  readonly details?: (() => AccountDetails) | undefined
  /** Checks whether the wallet is reachable, if that is possible without requesting its chain. */
  readonly lives?: (() => Promise<boolean>) | undefined
  readonly asked: { readonly chain?: ChainId<'eip155'>; readonly silent?: boolean; readonly signal: AbortSignal }
}

/** Opens a session. Resolves once the wallet has returned its accounts and its chain. */
export async function openSession(opening: Opening): Promise<EvmSession> {
  const { connector, asked: request } = opening
  try {
    return await open(opening, await unlessAborted(Promise.resolve(opening.provider), request.signal))
  } catch (error) {
    throw toWalletError(error, { request: 'connect', connectorId: connector.id })
  }
}

async function open(opening: Opening, provider: Eip1193Provider): Promise<EvmSession> {
  const { connector, kept: stored, clock, networkOf, asked: request } = opening
  const { silent = false, signal } = request
  stored.facade ??= createProviderProxy()
  const { facade } = stored
  const connectorId = connector.id
  const fails = (error: unknown, request: string) => toWalletError(error, { request, connectorId })
  const wallet = (method: string, params?: unknown) => ask(provider, method, params)
  const soon = (method: string, params?: unknown) =>
    within(wallet(method, params), answerMs, clock, () => new LatchkeyError('wallet/unresponsive', { connectorId }))

  // Send this before loading anything else, so that a wallet that opens a window still has user activation.
  const answer = silent ? soon('eth_accounts') : wallet('eth_requestAccounts')
  const checksummer = import('./viem/checksum.ts')
  checksummer.catch(() => {})
  const first = await unlessAborted(answer, signal).catch((error) => {
    throw fails(error, silent ? 'eth_accounts' : 'eth_requestAccounts')
  })

  // Events count from here on, even while the initial state is still being read.
  let heard: { accounts?: readonly string[]; chain?: ChainId<'eip155'> } = {}
  let live: Live | undefined
  const stopListening = listen(provider, {
    accountsChanged: (told: unknown) => {
      const accounts = readAddresses(told)
      if (!accounts) return
      if (live) live.accountsChanged(accounts)
      else heard = { ...heard, accounts }
    },
    chainChanged: (told: unknown) => {
      const chain = readChainId(told)
      if (!chain) return
      if (live) live.chainChanged(chain)
      else heard = { ...heard, chain }
    },
    disconnect: (told: unknown) => live?.disconnected(told),
    connect: () => live?.connected(),
    message: (told: unknown) => live?.message(told),
  })

  try {
    const found = readAddresses(first)
    const named = () => {
      const now = heard.accounts ?? found
      if (!now) throw new LatchkeyError('wallet/failed', { message: 'It returned invalid accounts.' })
      if (now.length === 0) throw new LatchkeyError('wallet/not-authorized', { connectorId })
      return now
    }
    named()
    const told = await unlessAborted(soon('eth_chainId'), signal).catch((error) => {
      throw fails(error, 'eth_chainId')
    })
    const chain = heard.chain ?? readChainId(told)
    if (!chain) throw new LatchkeyError('wallet/failed', { message: 'It returned an invalid chain ID.' })
    const { getAddress } = await unlessAborted(checksummer, signal)

    const session = createSession({
      ...opening,
      facade,
      // Check again: the wallet may have revoked access while its chain was read.
      accounts: named(),
      chain,
      checksum: (address) => getAddress(address as `0x${string}`),
      stopListening,
      wallet,
      soon,
    })
    live = session.live
    // A restored session stays on the wallet's chain, because switching would prompt.
    if (!silent && request.chain && request.chain !== session.live.session.chain) {
      const network = networkOf(request.chain)
      if (!network) throw new LatchkeyError('network/not-found', { chain: request.chain })
      await unlessAborted(session.live.switchTo(network), signal)
    }
    facade.enter(session.behind)
    return session.live.session
  } catch (error) {
    stopListening()
    throw error
  }
}

interface Live {
  readonly session: EvmSession
  accountsChanged(now: readonly string[]): void
  chainChanged(chain: ChainId<'eip155'>): void
  disconnected(told: unknown): void
  connected(): void
  message(told: unknown): void
  switchTo(network: Network<'eip155'>): Promise<void>
}

interface Opened extends Opening {
  readonly facade: ProviderProxy
  readonly accounts: readonly string[]
  readonly chain: ChainId<'eip155'>
  readonly checksum: (address: string) => string
  readonly stopListening: () => void
  readonly wallet: (method: string, params?: unknown) => Promise<unknown>
  readonly soon: (method: string, params?: unknown) => Promise<unknown>
}

function createSession(opened: Opened): { readonly live: Live; readonly behind: Target } {
  const { connector, facade, clock, checksum, stopListening, wallet, soon, leave, lives } = opened
  const connectorId = connector.id
  const fails = (error: unknown, request: string) => toWalletError(error, { request, connectorId })

  let addresses = opened.accounts.map(checksum)
  let chain = opened.chain
  let health: SessionEvents['health'] = 'ok'
  let ended = false
  let ending: Promise<void> | undefined
  let checking: Promise<void> | undefined
  /** Whether the wallet ended the session, rather than the page. */
  let gone = false
  let asksAccounts = false

  const listeners: { readonly [Event in keyof SessionEvents]: Set<(value: never) => void> } = {
    accounts: new Set(),
    chain: new Set(),
    health: new Set(),
    sent: new Set(),
    disconnect: new Set(),
  }
  const tell = <Event extends keyof SessionEvents<'eip155'>>(event: Event, value: SessionEvents<'eip155'>[Event]) => {
    for (const listener of [...listeners[event]]) listener(value as never)
  }
  const accounts = () =>
    addresses.map((address) => accountId(chain, address)) as unknown as Session<'eip155'>['accounts']

  const setHealth = (next: SessionEvents['health']) => {
    if (ended || health === next) return
    health = next
    tell('health', next)
  }

  const setChain = (next: ChainId<'eip155'>) => {
    if (ended || next === chain) return
    chain = next
    tell('chain', next)
    facade.emit(behind, 'chainChanged', hexChainId(next))
  }

  const setAddresses = (next: readonly string[]) => {
    const checked = next.map(checksum)
    if (ended || checked.join() === addresses.join()) return
    addresses = checked
    tell('accounts', accounts())
    facade.emit(behind, 'accountsChanged', [...checked])
  }

  /** Ends the session. Afterwards, no events are handled or emitted. */
  const finish = () => {
    if (ended) return false
    ended = true
    stopListening()
    facade.leave(behind)
    return true
  }

  const lost = () => {
    if (!finish()) return
    gone = true
    tell('disconnect', undefined)
  }

  /** Sends a request and updates the health of the session from its outcome. */
  const heardOf = async (method: string, params?: unknown) => {
    if (ended) throw new LatchkeyError('wallet/not-authorized', { connectorId })
    try {
      const answer = await wallet(method, params)
      setHealth('ok')
      return answer
    } catch (error) {
      setHealth(wasDisconnected(error) ? 'silent' : 'ok')
      throw error
    }
  }

  /** Sends a request. If one that needs no approval takes too long, the wallet is pinged. */
  const request = async (method: string, params?: unknown) => {
    const cancel = prompts.test(method) ? undefined : clock.after(answerMs, () => void session.ping())
    try {
      const answer = await heardOf(method, params)
      if (sends.test(method)) tell('sent', undefined)
      return answer
    } finally {
      cancel?.()
    }
  }

  const behind: Target = {
    accounts: () => addresses,
    request: ({ method, params }) => request(method, params),
  }

  const check = async () => {
    if (ended) return
    // A late response still counts: `heardOf` sets the health back to `ok` when it arrives.
    const answer = lives
      ? lives().then((now) => setHealth(now ? 'ok' : 'silent'))
      : heardOf('eth_chainId').then(
          (told) => {
            const now = readChainId(told)
            if (now) setChain(now)
          },
          () => {},
        )
    await within(answer, answerMs, clock, () => new LatchkeyError('wallet/unresponsive', { connectorId })).catch(() =>
      setHealth('silent'),
    )
  }

  const nextChain = () => {
    let cancel = () => {}
    const seen = new Promise<void>((resolve) => {
      const listener = () => resolve()
      if (ended) return resolve()
      listeners.chain.add(listener)
      listeners.disconnect.add(listener)
      cancel = () => {
        listeners.chain.delete(listener)
        listeners.disconnect.delete(listener)
      }
    })
    return { seen, cancel }
  }

  const switchTo = async (network: Network<'eip155'>) => {
    const over = () => new LatchkeyError('wallet/not-authorized', { connectorId })
    if (ended) throw over()
    if (network.caipNetworkId === chain) return
    const next = await switchChain({ network, connectorId, clock, request, nextChain }).catch((error) => {
      throw ended ? over() : error
    })
    if (ended) throw over()
    setChain(next)
  }

  const own = (account: AccountId<'eip155'>) => {
    const address = addresses.find((each) => each.toLowerCase() === addressOf(account).toLowerCase())
    if (!address) throw new LatchkeyError('wallet/not-authorized', { connectorId })
    return address
  }

  const session: EvmSession = {
    connector,
    get accounts() {
      return accounts()
    },
    get chain() {
      return chain
    },
    get details() {
      return opened.details?.()
    },
    provider: facade.provider,
    request: ({ method, params }) => request(method, params),
    can: {
      async signMessage({ account, message }) {
        const signature = await request('personal_sign', [toHex(message), own(account)]).catch((error) => {
          throw fails(error, 'personal_sign')
        })
        const bytes = typeof signature === 'string' ? fromHex(signature) : undefined
        if (!bytes) throw new LatchkeyError('wallet/failed', { message: 'It returned an invalid signature.' })
        return bytes
      },
      async send({ to, amount, token }) {
        if (amount < 0n) throw new LatchkeyError('wallet/failed', { message: 'An amount cannot be negative.' })
        const call =
          token === undefined
            ? { to: recipient(to), value: toQuantity(amount) }
            : await transfer({ to, amount, token, chain })
        const sent = { from: addresses[0], chainId: hexChainId(chain), ...call }
        const hash = await request('eth_sendTransaction', [sent]).catch((error) => {
          throw fails(error, 'eth_sendTransaction')
        })
        if (!v.is(transactionHash, hash))
          throw new LatchkeyError('wallet/failed', { message: 'It returned an invalid hash.' })
        return { hash }
      },
      switchChain: switchTo,
      async capabilities() {
        if (ended) throw new LatchkeyError('wallet/not-authorized', { connectorId })
        const offered = await soon('wallet_getCapabilities', [addresses[0]]).catch((error) => {
          // Wallets without EIP-5792 reject with various errors. Only a disconnected wallet is reported.
          if (wasDisconnected(error)) throw fails(error, 'wallet_getCapabilities')
          return {}
        })
        return readCapabilities(offered)
      },
    },
    on(event, listener) {
      const own = listener as (value: never) => void
      listeners[event].add(own)
      // Listeners added after the end are notified as well, so that a caller does not keep an ended session.
      if (event === 'disconnect' && gone) queueMicrotask(() => listeners.disconnect.has(own) && own(undefined as never))
      return () => listeners[event].delete(own)
    },
    ping() {
      checking ??= check().finally(() => {
        checking = undefined
      })
      return checking
    },
    disconnect() {
      ending ??= (async () => {
        if (!finish()) return
        const left = leave ? leave() : giveBack(wallet)
        await within(left, leaveMs, clock, () => new LatchkeyError('wallet/unresponsive', { connectorId })).catch(
          () => {},
        )
      })()
      return ending
    },
  }

  const live: Live = {
    session,
    switchTo,
    accountsChanged(now) {
      if (now.length === 0) return lost()
      setHealth('ok')
      setAddresses(now)
    },
    chainChanged(now) {
      setHealth('ok')
      setChain(now)
    },
    disconnected() {
      // In EIP-1193, `disconnect` means disconnected from all chains, which can be temporary; some wallets send it at the end
      // of a session. Requesting the accounts shows which.
      if (asksAccounts) return
      asksAccounts = true
      soon('eth_accounts')
        .then(
          (told) => (readAddresses(told)?.length ? setHealth('ok') : lost()),
          (error) => (wasDisconnected(error) ? setHealth('silent') : lost()),
        )
        .finally(() => {
          asksAccounts = false
        })
    },
    connected: () => void session.ping(),
    message: (told) => facade.emit(behind, 'message', told),
  }
  return { live, behind }
}

/** Methods that change balances. */
const sends = /^(eth_send(Raw)?Transaction|wallet_sendCalls)$/
/** Methods that may require approval. */
const prompts = /^(wallet_|personal_|eth_(send|sign|requestAccounts|decrypt|getEncryptionPublicKey))/
const transactionHash = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{64}$/i))
const permissions = v.array(v.object({ parentCapability: v.string() }))

/** Revokes the permission (EIP-2255), if the wallet reports one. */
async function giveBack(wallet: (method: string, params?: unknown) => Promise<unknown>): Promise<void> {
  const held = v.safeParse(permissions, await wallet('wallet_getPermissions'))
  if (!held.success || !held.output.some(({ parentCapability }) => parentCapability === 'eth_accounts')) return
  await wallet('wallet_revokePermissions', [{ eth_accounts: {} }])
}

function readCapabilities(offered: unknown): Readonly<Record<string, unknown>> {
  const parsed = v.safeParse(v.record(v.string(), v.unknown()), offered)
  if (!parsed.success) return {}
  return Object.fromEntries(Object.entries(parsed.output).filter(([chain]) => /^0x[0-9a-f]+$/i.test(chain)))
}

function recipient(to: string): string {
  const address = toEvmAddress(to)
  if (!address) throw new LatchkeyError('wallet/failed', { message: `"${to}" is not an EVM address.` })
  return address
}

/** Encodes an ERC-20 transfer. A token with a CAIP-10 prefix must be on `chain`. */
async function transfer({
  to,
  amount,
  token,
  chain,
}: {
  to: string
  amount: bigint
  token: string
  chain: ChainId<'eip155'>
}) {
  const named = parseAccountId(token)
  if (named && named.chain !== chain) throw new LatchkeyError('network/unsupported', { chain: named.chain })
  const { encodeTransfer } = await import('./viem/transfer.ts')
  return { to: recipient(named?.address ?? token), data: encodeTransfer({ to: recipient(to), amount }) }
}
