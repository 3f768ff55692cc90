import type { Adapter, BridgeHost, Connector, Network, Session } from '@latchkey/core/adapter'
import type { ChainId } from '@latchkey/protocol/caip'
import { LatchkeyError } from '@latchkey/protocol/errors'
import { type Client, createClient, createProposer, type Session as Settled } from '@latchkey/walletconnect'
import { openSession } from '../evm/session.ts'
import { unlessAborted } from '../evm/wire.ts'
import { toWalletError } from '../shared/walletErrors.ts'
import { asRpcError, evmProvider } from './evm.ts'
import { proposalFor } from './methods.ts'
import type { WalletConnectOptions } from './walletconnect.ts'

/** How long a wallet may take to show that it is still there, before its session is shown as silent. */
const probeMs = 4_000

/** What connecting over WalletConnect is asked. */
export interface WireAsked {
  readonly connector: Connector
  readonly adapter: Adapter
  readonly chain?: ChainId
  readonly silent?: boolean
  readonly signal: AbortSignal
}

/** One client of the relay, for all namespaces of one instance. */
export interface Wire {
  connect(asked: WireAsked): Promise<Session>
  close(): void
}

/** Opens the client with the sessions of earlier pages. */
export async function openWire(deps: {
  readonly options: WalletConnectOptions
  readonly relay: string | readonly [string, ...string[]]
  readonly host: BridgeHost
  adapters(): readonly Adapter[]
}): Promise<Wire> {
  const { options, relay, host } = deps
  const { clock, log } = host
  const client = await createClient({
    metadata: host.dapp().metadata ?? { name: '', description: '', url: '', icons: [] },
    relay,
    projectId: options.projectId,
    records: options.records,
    connect: options.connect,
    clock,
    changed: (state, error) => error && log.warn(`The relay is ${state}`, error),
  })
  const proposer = createProposer(client.peer, client.sessions)
  /** One pairing serves all namespaces: whoever asks meanwhile waits for the same. */
  let pairing: Promise<Settled> | undefined

  const wake = (): void => client.wake()
  globalThis.addEventListener?.('online', wake)
  globalThis.addEventListener?.('focus', wake)

  const pair = (signal: AbortSignal): Promise<Settled> => {
    const chains = deps.adapters().flatMap(({ networks }) => networks.map(({ caipNetworkId }) => caipNetworkId))
    const attempt = (async () => {
      const offer = await proposer.propose({ optionalNamespaces: proposalFor(chains), signal })
      options.onOffer?.({ uri: offer.uri, expiresAt: offer.expiresAt })
      return offer.answered
    })().finally(() => {
      if (pairing === attempt) pairing = undefined
      options.onOffer?.(undefined)
    })
    pairing = attempt
    return attempt
  }

  const found = ({ namespace }: Connector): Settled | undefined =>
    client.sessions
      .all()
      .filter(({ namespaces }) => Object.keys(namespaces).some((name) => name.split(':')[0] === namespace))
      .sort((one, other) => other.expiry - one.expiry)[0]

  const openEvm = async ({ connector, adapter, chain, silent, signal }: WireAsked, settled: Settled) => {
    const networks = adapter.networks as readonly Network<'eip155'>[]
    const networkOf = (id: ChainId<'eip155'>) =>
      networks.find(({ caipNetworkId }) => caipNetworkId === id) ??
      (adapter.describe?.(id) as Network<'eip155'> | undefined)
    const { provider, stop } = evmProvider({ client, topic: settled.topic, chain, networkOf })
    try {
      return await openSession({
        connector: connector as Connector<'eip155'>,
        provider,
        kept: {},
        clock,
        networkOf,
        async leave() {
          stop()
          await client.sessions.end(settled.topic)
        },
        lives: () => client.sessions.ping(settled.topic),
        // The wallet has named its accounts by settling; nothing of this prompts.
        asked: { silent: true, signal },
      })
    } catch (error) {
      stop()
      if (!silent) await client.sessions.end(settled.topic)
      throw error
    }
  }

  return {
    async connect(asked) {
      const { connector, silent = false, signal } = asked
      if (!silent) {
        const settling = unlessAborted(pairing ?? pair(signal), signal).catch((error) => {
          throw toWalletError(asRpcError(error), { request: 'connect', connectorId: connector.id })
        })
        return openEvm(asked, await settling)
      }
      const settled = found(connector)
      if (!settled) throw new LatchkeyError('wallet/not-authorized', { connectorId: connector.id })
      // A phone in a pocket sleeps: its session is shown as silent, and speaks again when it does.
      const lives = await answersWithin(client, settled.topic, { ms: probeMs, signal, clock })
      const session = await openEvm(asked, settled)
      if (!lives) void session.check()
      return session
    },
    close() {
      globalThis.removeEventListener?.('online', wake)
      globalThis.removeEventListener?.('focus', wake)
      client.close()
    },
  }
}

/** Whether the other side of a session answers in time. */
async function answersWithin(
  { sessions }: Client,
  topic: string,
  { ms, signal, clock }: { ms: number; signal: AbortSignal; clock: BridgeHost['clock'] },
): Promise<boolean> {
  const stop = new AbortController()
  const abort = (): void => stop.abort()
  signal.addEventListener('abort', abort)
  const cancel = clock.after(ms, abort)
  try {
    return await sessions.ping(topic, { signal: stop.signal })
  } catch {
    if (signal.aborted) throw new LatchkeyError('request/aborted')
    return false
  } finally {
    cancel()
    signal.removeEventListener('abort', abort)
  }
}
