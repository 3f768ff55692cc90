import * as v from 'valibot'
import { HttpError } from '../../errors/httpError.ts'
import type { ChainConfig } from '../chainConfig.ts'
import type { NodeClient } from '../nodeClient.ts'
import type { HeldToken, Holding, HoldingsReader } from './holdings.ts'

/** The programs that own token accounts: SPL Token and Token-2022. */
const tokenPrograms = ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb']
/** The maximum number of token accounts of a program that are read. */
const maxAccounts = 5_000
/** The maximum number of holdings in a result. Listed tokens come first. */
const maxHoldings = 500

const lamports = v.pipe(v.number(), v.integer(), v.minValue(0))
const nativeSchema = v.object({ value: lamports })
const accountSchema = v.object({
  account: v.object({
    data: v.object({
      parsed: v.object({
        info: v.object({
          mint: v.pipe(v.string(), v.regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)),
          tokenAmount: v.object({
            amount: v.pipe(v.string(), v.regex(/^\d{1,20}$/)),
            decimals: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(36)),
          }),
        }),
      }),
    }),
  }),
})
const accountsSchema = v.object({ value: v.array(v.unknown()) })

/** Creates the reader for holdings on Solana. */
export function solanaHoldings(nodes: NodeClient): HoldingsReader {
  const parse = <Output>(chainId: string, schema: v.GenericSchema<unknown, Output>, value: unknown): Output => {
    const parsed = v.safeParse(schema, value)
    if (parsed.success) return parsed.output
    throw new HttpError(503, 'chainId', `The node for ${chainId} responded with an invalid result`, 1)
  }

  async function nativeAmount(chainId: string, address: string, signal: AbortSignal): Promise<bigint> {
    const result = await nodes.call(chainId, 'getBalance', [address, { commitment: 'confirmed' }], signal)
    return BigInt(parse(chainId, nativeSchema, result).value)
  }

  /** Resolves to the amount of each mint. An account can have several token accounts for a mint. */
  async function tokenAmounts(
    { chainId, tokens }: ChainConfig,
    address: string,
    filters: readonly ({ readonly programId: string } | { readonly mint: string })[],
    signal: AbortSignal,
  ): Promise<Map<string, { token: HeldToken; amount: bigint }>> {
    const listed = new Map(tokens.map((token) => [token.address, token]))
    const options = { encoding: 'jsonParsed', commitment: 'confirmed' }
    const results = await Promise.all(
      filters.map((filter) => nodes.call(chainId, 'getTokenAccountsByOwner', [address, filter, options], signal)),
    )
    const held = new Map<string, { token: HeldToken; amount: bigint }>()
    for (const result of results) {
      for (const item of parse(chainId, accountsSchema, result).value.slice(0, maxAccounts)) {
        const parsed = v.safeParse(accountSchema, item)
        if (!parsed.success) continue
        const { mint, tokenAmount } = parsed.output.account.data.parsed.info
        // The names of unlisted tokens are not read, because anyone can choose them.
        const token: HeldToken = listed.get(mint) ?? {
          address: mint,
          name: `${mint.slice(0, 4)}…${mint.slice(-4)}`,
          symbol: '',
          decimals: tokenAmount.decimals,
          isUnlisted: true,
        }
        const amount = (held.get(mint)?.amount ?? 0n) + BigInt(tokenAmount.amount)
        held.set(mint, { token, amount })
      }
    }
    return held
  }

  return {
    async holdings(chain, address, signal) {
      const filters = tokenPrograms.map((programId) => ({ programId }))
      const [native, held] = await Promise.all([
        nativeAmount(chain.chainId, address, signal),
        tokenAmounts(chain, address, filters, signal),
      ])
      const tokens = [...held.values()].filter(({ amount }) => amount > 0n)
      const isUnlisted = ({ token }: { token: HeldToken }): number => (token.isUnlisted ? 1 : 0)
      tokens.sort((a, b) => isUnlisted(a) - isUnlisted(b))
      const holdings: Holding[] = native > 0n ? [{ token: undefined, amount: native }] : []
      return [...holdings, ...tokens.slice(0, maxHoldings)]
    },

    async tokens(chain, address, tokens, signal) {
      const mints = tokens.flatMap((mint) => (mint === undefined ? [] : [mint]))
      const [native, held] = await Promise.all([
        tokens.includes(undefined) ? nativeAmount(chain.chainId, address, signal) : undefined,
        tokenAmounts(
          chain,
          address,
          mints.map((mint) => ({ mint })),
          signal,
        ),
      ])
      const listed = new Map(chain.tokens.map((token) => [token.address, token]))
      const holdings: Holding[] = native === undefined ? [] : [{ token: undefined, amount: native }]
      for (const mint of mints) {
        const token = listed.get(mint)
        const holding = held.get(mint) ?? (token && { token, amount: 0n })
        if (holding) holdings.push(holding)
      }
      return holdings
    },
  }
}
