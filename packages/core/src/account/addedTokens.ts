import { formatUnits } from '@latchkey/protocol/amount'
import { type AccountId, toEvmAddress } from '@latchkey/protocol/caip'
import { type TokenBalance, tokenBalance } from '@latchkey/protocol/http/chainApi'
import { read } from '@latchkey/protocol/parseWithSchema'
import * as v from 'valibot'
import type { Adapter, Network, Session } from '../adapter.ts'
import { json } from '../storage/codecs.ts'
import { type RecordDependencies, type StorageEntry, storageEntry } from '../storage/storageEntry.ts'
import { storagePrefix } from '../storage/storagePrefix.ts'

/** The maximum number of tokens that are stored, on all chains. */
const maxTokens = 50

const stored = v.array(v.pipe(v.string(), v.regex(/^eip155:\d{1,32}:0x[0-9a-f]{40}$/)))

/** The account whose balances are read, with its network and session. */
interface Holder {
  readonly account: AccountId
  readonly network: Network
  readonly session: Session | undefined
}

/** The tokens that users added by their address. Their data is read from their contracts, and they are marked as unlisted. */
export interface AddedTokens {
  /** Adds the tokens on the account's chain that `balances` does not contain. */
  complete(balances: readonly TokenBalance[], subject: Holder, signal: AbortSignal): Promise<readonly TokenBalance[]>
  /**
   * Adds a token. Resolves to the account's balance of it, or to `undefined` if there is no token at the address or if the chain
   * family's tokens cannot be read. Rejects if the network does not respond.
   */
  add(address: string, subject: Holder, signal: AbortSignal): Promise<TokenBalance | undefined>
}

/** Returns the storage entry of the tokens that were added: their CAIP-10 IDs in lower case, latest first. */
export function addedTokensEntry(
  dependencies: RecordDependencies & { id?: string | undefined },
): StorageEntry<readonly string[]> {
  return storageEntry(
    dependencies,
    `${storagePrefix(dependencies.id)}added_tokens`,
    'added tokens',
    json((value) => read(stored, value)?.slice(0, maxTokens)),
  )
}

/** Creates an `AddedTokens`. */
export function createAddedTokens({
  entry,
  adapters,
  fetch,
}: {
  readonly entry: StorageEntry<readonly string[]>
  readonly adapters: readonly Adapter[]
  /** The host's `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined
}): AddedTokens {
  /** The balances from the last successful read. They are used while the network does not respond. */
  const latest = new Map<string, TokenBalance>()

  async function holding(
    token: string,
    { account, network, session }: Holder,
    signal: AbortSignal,
  ): Promise<TokenBalance | undefined> {
    const adapter = adapters.find(({ namespace }) => namespace === network.chainNamespace)
    const found = await adapter?.tokenHolding?.({
      account,
      token,
      network,
      signal,
      ...(session && { session }),
      ...(fetch && { fetch }),
    })
    if (!found) return undefined
    const { name, symbol, decimals, amount } = found
    return read(tokenBalance, {
      name: name.slice(0, 100),
      symbol: symbol.slice(0, 40),
      chainId: network.caipNetworkId,
      address: `${network.caipNetworkId}:${token}`,
      price: 0,
      quantity: { decimals: String(decimals), numeric: formatUnits(amount, decimals) },
      iconUrl: '',
      isUnlisted: true,
    })
  }

  return {
    async complete(balances, subject, signal) {
      const chain = `${subject.network.caipNetworkId}:`
      const known = new Set(balances.map(({ address }) => address?.toLowerCase()))
      const missing = (entry.get() ?? []).filter((id) => id.startsWith(chain) && !known.has(id))
      const found = await Promise.all(
        missing.map(async (id) => {
          const key = `${subject.account} ${id}`
          const now = await holding(id.slice(chain.length), subject, signal).catch(() => latest.get(key))
          if (now) latest.set(key, now)
          return now ?? []
        }),
      )
      return [...balances, ...found.flat()]
    },
    async add(address, subject, signal) {
      const token = subject.network.chainNamespace === 'eip155' ? toEvmAddress(address) : undefined
      const found = token && (await holding(token, subject, signal))
      if (!found) return undefined
      const id = `${subject.network.caipNetworkId}:${token}`.toLowerCase()
      latest.set(`${subject.account} ${id}`, found)
      entry.set([id, ...(entry.get() ?? []).filter((other) => other !== id)].slice(0, maxTokens))
      return found
    },
  }
}
