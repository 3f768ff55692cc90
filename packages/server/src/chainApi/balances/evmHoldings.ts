import type { Clock } from '../../serverDependencies.ts'
import type { ChainConfig } from '../chainConfig.ts'
import { createTokenInfoReader } from '../history/tokenInfo.ts'
import { balanceOfCall, multicall, uintOf } from '../multicall.ts'
import type { CallNode } from '../nodeBatch.ts'
import type { NodeClient } from '../nodeClient.ts'
import type { Holding, HoldingsReader } from './holdings.ts'

/** The maximum number of listed tokens that are read on a chain without Multicall3, where each token needs a separate call. */
const maxSeparateTokens = 200

/** Creates the reader for holdings on EVM chains. */
export function evmHoldings({
  nodes,
  callNode,
  clock,
}: {
  nodes: NodeClient
  callNode: CallNode
  clock: Clock
}): HoldingsReader {
  const infos = createTokenInfoReader({ callNode, clock })

  async function nativeAmount(chainId: string, address: string, signal: AbortSignal): Promise<bigint> {
    return BigInt((await nodes.call(chainId, 'eth_getBalance', [address, 'latest'], signal)) as string)
  }

  async function amounts(
    { chainId }: ChainConfig,
    address: string,
    { tokens, isTrusted, signal }: { tokens: readonly string[]; isTrusted: boolean; signal: AbortSignal },
  ): Promise<readonly (bigint | undefined)[]> {
    const calls = tokens.map((token) => balanceOfCall(token as `0x${string}`, address))
    const returned = await multicall({ nodes, callNode, chainId, calls, isTrusted, signal })
    return returned.map((data) => uintOf(data))
  }

  return {
    async holdings(chain, address, signal) {
      const tokens = chain.multicall3 ? chain.tokens : chain.tokens.slice(0, maxSeparateTokens)
      const [native, held] = await Promise.all([
        nativeAmount(chain.chainId, address, signal),
        amounts(chain, address, { tokens: tokens.map((token) => token.address), isTrusted: true, signal }),
      ])
      const holdings: Holding[] = native > 0n ? [{ token: undefined, amount: native }] : []
      tokens.forEach((token, index) => {
        const amount = held[index] ?? 0n
        if (amount > 0n) holdings.push({ token, amount })
      })
      return holdings
    },

    async tokens(chain, address, tokens, signal) {
      const listed = new Map(chain.tokens.map((token) => [token.address.toLowerCase(), token]))
      const contracts = [...new Set(tokens.flatMap((token) => (token === undefined ? [] : [token.toLowerCase()])))]
      const unlisted = contracts.filter((token) => !listed.has(token)) as `0x${string}`[]
      const [native, held, details] = await Promise.all([
        tokens.includes(undefined) ? nativeAmount(chain.chainId, address, signal) : undefined,
        amounts(chain, address, { tokens: contracts, isTrusted: false, signal }),
        infos.read(chain, unlisted, signal),
      ])
      const { checksumAddress } = await import('viem')
      const holdings: Holding[] = native === undefined ? [] : [{ token: undefined, amount: native }]
      contracts.forEach((contract, index) => {
        const amount = held[index]
        const token = listed.get(contract)
        const info = details.get(contract)
        if (amount === undefined) return
        if (token) holdings.push({ token, amount })
        else if (info) {
          const { name = '', symbol = '', decimals } = info
          const address = checksumAddress(contract as `0x${string}`)
          holdings.push({ token: { address, name, symbol, decimals, isUnlisted: true }, amount })
        }
      })
      return holdings
    },
  }
}
