import type { Eip1193Provider, Network } from '@latchkey/core/adapter'
import { addressOf, type ChainId, parseAccountId } from '@latchkey/protocol/caip'
import { maxRpcAnswerBytes, readJsonBody, rpcAnswerMs } from '@latchkey/protocol/http/readResponseBody'
import { read, readJson } from '@latchkey/protocol/parseWithSchema'
import { allows, type Client, grantedChains, type Session } from '@latchkey/walletconnect'
import * as v from 'valibot'
import { hexChainId, readChainId } from '../evm/chainId.ts'
import { type EvmSession, openSession } from '../evm/evmSession.ts'
import { type NamespaceSessionInput, requestTtl } from './namespaceSession.ts'
import { asRpcError } from './rpcErrors.ts'

/** Opens the EVM namespace of a settled session. */
export async function openEvm(opening: NamespaceSessionInput<'eip155'>): Promise<EvmSession> {
  const { client, topic, connector, adapter, clock, fetch, chains, rpcMap, signal, waiting } = opening
  const networkOf = (id: ChainId<'eip155'>) =>
    adapter.networks.find(({ caipNetworkId }) => caipNetworkId === id) ?? adapter.describe?.(id)
  const rpcOf = (id: ChainId<'eip155'>) => rpcMap?.[id] ?? networkOf(id)?.rpcUrls.default?.http[0]
  const { provider, stop } = evmProvider({ client, topic, chains, networkOf, fetch, rpcOf, waiting })
  try {
    return await openSession({
      connector,
      provider,
      stored: {},
      clock,
      networkOf,
      async leave() {
        stop()
        await client.sessions.disconnect(topic)
      },
      lives: () => client.sessions.ping(topic),
      // The wallet returned its accounts when the session was settled, so it does not prompt the user again.
      request: { silent: true, signal },
    })
  } catch (error) {
    stop()
    throw error
  }
}

/**
 * Wraps a WalletConnect session as an EIP-1193 provider. Read methods that the wallet did not grant are sent to the network's own
 * node.
 */
function evmProvider({
  client,
  topic,
  chains: wanted,
  networkOf,
  fetch,
  rpcOf,
  waiting,
}: {
  readonly client: Client
  readonly topic: string
  readonly chains: readonly ChainId[]
  networkOf(chain: ChainId<'eip155'>): Network<'eip155'> | undefined
  readonly fetch: typeof globalThis.fetch
  rpcOf(chain: ChainId<'eip155'>): string | undefined
  /** Called when a request has been sent to the wallet and is waiting for approval. */
  waiting(requestId: number): void
}): { readonly provider: Eip1193Provider; stop(): void } {
  const listeners = new Map<string, Set<(value: never) => void>>()
  const emit = (event: string, value: unknown): void => {
    for (const listener of [...(listeners.get(event) ?? [])]) listener(value as never)
  }
  const session = (): Session | undefined => client.sessions.get(topic)
  const chains = (): readonly ChainId<'eip155'>[] =>
    grantedChains(session()?.namespaces ?? {}).filter((id): id is ChainId<'eip155'> => id.startsWith('eip155:'))
  const there = (id: ChainId): id is ChainId<'eip155'> => chains().some((approved) => approved === id)
  let chain = wanted.find(there) ?? chains().find((id) => networkOf(id)) ?? chains()[0]
  const capabilities = new Map<string, unknown>()

  /** Returns the addresses on the active chain, without duplicates that differ only in case. */
  const addresses = (): readonly string[] => {
    const seen = new Map<string, string>()
    for (const { accounts } of Object.values(session()?.namespaces ?? {}))
      for (const account of accounts) {
        const found = parseAccountId(account)
        if (found?.namespace !== 'eip155' || !account.startsWith(`${chain}:`)) continue
        const address = addressOf(account as `eip155:${string}:${string}`)
        if (!seen.has(address.toLowerCase())) seen.set(address.toLowerCase(), address)
      }
    return [...seen.values()]
  }

  const moveTo = (next: ChainId<'eip155'>): void => {
    if (next === chain) return
    const before = addresses().join()
    chain = next
    emit('chainChanged', hexChainId(next))
    if (addresses().join() !== before) emit('accountsChanged', addresses())
  }

  const offs = [
    client.sessions.on('updated', ({ topic: about }) => {
      if (about !== topic) return
      capabilities.clear()
      const [first] = chains()
      if (first && chain && !chains().includes(chain)) moveTo(first)
      emit('accountsChanged', addresses())
    }),
    client.sessions.on('event', ({ session: { topic: about }, chainId, name, data }) => {
      if (about !== topic || !chainId.startsWith('eip155:')) return
      // Prefer the chain ID in the event's data, because wallets differ in what they send as the event's own chain ID.
      if (name === 'chainChanged') {
        const newChain = readChainId(data) ?? readChainId(chainId.slice('eip155:'.length))
        if (newChain && chains().includes(newChain)) moveTo(newChain)
      }
      if (name === 'accountsChanged' && Array.isArray(data)) {
        const own = new Set(addresses().map((address) => address.toLowerCase()))
        const named = data
          .map((account) => String(account).split(':').at(-1) ?? '')
          .filter((address) => own.has(address.toLowerCase()))
        if (named.length > 0) emit('accountsChanged', named)
      }
    }),
    client.sessions.on('ended', ({ session: { topic: about } }) => {
      if (about === topic) emit('accountsChanged', [])
    }),
  ]

  const switchTo = async (params: unknown): Promise<null> => {
    const [request] = Array.isArray(params) ? (params as readonly unknown[]) : []
    const target = readChainId((request as { chainId?: unknown } | undefined)?.chainId)
    if (target && chains().includes(target)) {
      moveTo(target)
      return null
    }
    if (!target || !chain || !allows(session()?.namespaces ?? {}, chain, 'methods', 'wallet_switchEthereumChain'))
      throw Object.assign(new Error('Unrecognized chain ID.'), { code: 4902 })
    await asks('wallet_switchEthereumChain', params)
    if (chains().includes(target)) moveTo(target)
    return null
  }

  /** Sends a request to the wallet. Rejects with EIP-1193 errors. */
  const asks = async (method: string, params: unknown): Promise<unknown> => {
    if (!chain) throw Object.assign(new Error('The session has no chain.'), { code: 4900 })
    try {
      return await client.sessions.request(
        topic,
        { chainId: chain, method, params },
        { ttl: requestTtl, onPublished: waiting },
      )
    } catch (error) {
      throw asRpcError(error)
    }
  }

  const provider: Eip1193Provider = {
    async request({ method, params }) {
      if (!session() || !chain) throw Object.assign(new Error('The wallet has ended the session.'), { code: 4900 })
      if (method === 'eth_accounts' || method === 'eth_requestAccounts') return addresses()
      if (method === 'eth_chainId') return hexChainId(chain)
      if (method === 'wallet_switchEthereumChain') return switchTo(params)
      const isGranted = allows(session()?.namespaces ?? {}, chain, 'methods', method)
      if (method === 'wallet_getCapabilities') {
        const about = JSON.stringify(params)?.toLowerCase() ?? ''
        const known = capabilities.get(about) ?? capabilitiesIn(session(), params)
        if (known !== undefined) return known
        if (!isGranted) return {}
        const answer = await asks(method, params)
        capabilities.set(about, answer)
        return answer
      }
      if (isGranted) return asks(method, params)
      if (/^(wallet|personal)_|^eth_(sign|send(?!Raw))/.test(method))
        throw Object.assign(new Error(`The wallet does not support ${method}.`), { code: 4200 })
      return readFrom(fetch, rpcOf(chain), { method, params })
    },
    on(event, listener) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
    },
    removeListener(event, listener) {
      listeners.get(event)?.delete(listener)
    },
  }

  return {
    provider,
    stop() {
      for (const off of offs) off()
    },
  }
}

const rpcAnswer = v.object({
  result: v.optional(v.unknown()),
  error: v.optional(v.nullable(v.object({ code: v.number(), message: v.string() }))),
})

/** Sends a request to the network's RPC node. */
async function readFrom(
  fetch: typeof globalThis.fetch,
  url: string | undefined,
  call: { method: string; params?: unknown },
): Promise<unknown> {
  if (!url) throw Object.assign(new Error(`${call.method} requires a node, but this network has none.`), { code: 4200 })
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: 1, jsonrpc: '2.0', ...call }),
    signal: AbortSignal.timeout(rpcAnswerMs),
  })
  const body = read(rpcAnswer, await readJsonBody(answer, maxRpcAnswerBytes))
  if (!body) throw Object.assign(new Error(`The node did not return JSON-RPC for ${call.method}.`), { code: -32603 })
  if (body.error) throw Object.assign(new Error(body.error.message), { code: body.error.code })
  return body.result
}

const byAddress = v.record(v.string(), v.record(v.string(), v.unknown()))

/**
 * Returns the requested address's capabilities, if the wallet sent them when the session was settled. Wallets send an object or,
 * in newer versions, JSON.
 */
function capabilitiesIn(session: Session | undefined, params: unknown): unknown {
  const capabilities = session?.sessionProperties?.capabilities
  const all = typeof capabilities === 'string' ? readJson(byAddress, capabilities) : read(byAddress, capabilities)
  const [address, chains] = Array.isArray(params) ? (params as readonly unknown[]) : []
  if (!all || typeof address !== 'string' || chains !== undefined) return undefined
  return Object.entries(all).find(([key]) => key.toLowerCase() === address.toLowerCase())?.[1]
}
