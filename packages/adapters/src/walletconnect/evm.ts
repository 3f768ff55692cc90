import type { Eip1193Provider, Network } from '@latchkey/core/adapter'
import { addressOf, type ChainId, parseAccountId } from '@latchkey/protocol/caip'
import { allows, type Client, grantedChains, Refusal, type Session } from '@latchkey/walletconnect'
import { hexChainId, readChainId } from '../evm/chainId.ts'

/** How long a wallet may take for what a person has to approve, in seconds. */
const requestLife = 900

/** A session of the relay as an EIP-1193 provider: what needs no wallet is answered here, reads go to the network's own node. */
export function evmProvider({
  client,
  topic,
  chain: wanted,
  networkOf,
}: {
  readonly client: Client
  readonly topic: string
  readonly chain?: ChainId | undefined
  networkOf(chain: ChainId<'eip155'>): Network<'eip155'> | undefined
}): { readonly provider: Eip1193Provider; stop(): void } {
  const listeners = new Map<string, Set<(value: never) => void>>()
  const tell = (event: string, value: unknown): void => {
    for (const listener of [...(listeners.get(event) ?? [])]) listener(value as never)
  }
  const session = (): Session | undefined => client.sessions.get(topic)
  const chains = (): readonly ChainId<'eip155'>[] =>
    grantedChains(session()?.namespaces ?? {}).filter((id): id is ChainId<'eip155'> => id.startsWith('eip155:'))
  let chain = chains().find((id) => id === wanted) ?? chains().find((id) => networkOf(id)) ?? chains()[0]
  const capabilities = new Map<string, unknown>()

  /** The addresses on the chain that counts, each once in whatever case a wallet writes it. */
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
    tell('chainChanged', hexChainId(next))
    if (addresses().join() !== before) tell('accountsChanged', addresses())
  }

  const offs = [
    client.sessions.on('updated', ({ topic: about }) => {
      if (about !== topic) return
      const [first] = chains()
      if (first && chain && !chains().includes(chain)) moveTo(first)
      tell('accountsChanged', addresses())
    }),
    client.sessions.on('event', ({ session: { topic: about }, chainId, name, data }) => {
      if (about !== topic || !chainId.startsWith('eip155:')) return
      // What the event says itself counts; wallets differ in which chain they send it for.
      if (name === 'chainChanged') {
        const told = readChainId(data) ?? readChainId(chainId.slice('eip155:'.length))
        if (told && chains().includes(told)) moveTo(told)
      }
      if (name === 'accountsChanged' && Array.isArray(data)) {
        const own = new Set(addresses().map((address) => address.toLowerCase()))
        const named = data
          .map((each) => String(each).split(':').at(-1) ?? '')
          .filter((address) => own.has(address.toLowerCase()))
        if (named.length > 0) tell('accountsChanged', named)
      }
    }),
    client.sessions.on('ended', ({ session: { topic: about } }) => {
      if (about === topic) tell('accountsChanged', [])
    }),
  ]

  const switchTo = async (params: unknown): Promise<null> => {
    const [asked] = Array.isArray(params) ? (params as readonly unknown[]) : []
    const target = readChainId((asked as { chainId?: unknown } | undefined)?.chainId)
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

  /** Asks the wallet; its refusals in the words of EIP-1193. */
  const asks = async (method: string, params: unknown): Promise<unknown> => {
    if (!chain) throw Object.assign(new Error('The session has no chain.'), { code: 4900 })
    try {
      return await client.sessions.request(topic, { chainId: chain, method, params }, { life: requestLife })
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
        const about = JSON.stringify(params)
        if (!capabilities.has(about)) capabilities.set(about, isGranted ? await asks(method, params) : {})
        return capabilities.get(about)
      }
      if (isGranted) return asks(method, params)
      if (/^(wallet|personal)_|^eth_(sign|send(?!Raw))/.test(method))
        throw Object.assign(new Error(`The wallet does not offer ${method}.`), { code: 4200 })
      return readFrom(networkOf(chain), { method, params })
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

/** Asks the node of a network: the host's own RPC, never the wallet. */
async function readFrom(
  network: Network<'eip155'> | undefined,
  call: { method: string; params?: unknown },
): Promise<unknown> {
  const url = network?.rpcUrls.default?.http[0]
  if (!url) throw Object.assign(new Error(`${call.method} needs a node, and this network has none.`), { code: 4200 })
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: 1, jsonrpc: '2.0', ...call }),
  })
  const { result, error } = (await answer.json()) as { result?: unknown; error?: { code: number; message: string } }
  if (error) throw Object.assign(new Error(error.message), { code: error.code })
  return result
}

/** A refusal of the sign protocol with the codes of EIP-1193; any other error as it is. */
export function asRpcError(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error
  const { code, message, data } = error
  const known =
    code >= 5000 && code <= 5003 ? 4001 : code === 3001 || code === 5101 ? 4200 : code === 6000 ? 4900 : code
  return Object.assign(new Error(message || 'The wallet refused.'), { code: known, data })
}
