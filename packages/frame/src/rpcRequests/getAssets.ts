import type { ChainId } from '@latchkey/protocol/caip'
import { isEvmAddress, toEvmAddress } from '@latchkey/protocol/caip'
import * as v from 'valibot'
import { decodeFunctionResult, encodeFunctionData, type Hex, hexToBigInt, isHex, parseAbi, toHex } from 'viem'
import { sanitizeText, untrusted } from '../decoders/untrustedText.ts'
import type { FrameContext } from '../frameContext.ts'
import { knownTokens } from '../networks/knownTokens.ts'
import { networkName } from '../networks/networkNames.ts'
import { PublicError } from '../publicError.ts'
import { getWalletAccounts } from '../wallet/walletAccounts.ts'
import type { WalletRpcRequest } from './walletRpcRequest.ts'

const chainId = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-f]{1,13}$/i),
  v.transform((hex): ChainId<'eip155'> => `eip155:${BigInt(hex)}`),
)
const evmAddress = v.pipe(
  v.string(),
  v.check((text) => isEvmAddress(text)),
  v.transform((text) => (toEvmAddress(text) ?? text).toLowerCase()),
)
// ERC-7811 uses lowercase types in requests and uppercase types in responses.
const assetType = v.pipe(
  v.string(),
  v.maxLength(32),
  v.transform((text) => text.toLowerCase()),
)
const assetsRequestSchema = v.object({
  account: evmAddress,
  assetFilter: v.optional(
    v.record(
      chainId,
      v.pipe(
        v.array(v.object({ address: v.union([v.literal('native'), evmAddress]), type: assetType })),
        v.maxLength(100),
      ),
    ),
  ),
  assetTypeFilter: v.optional(v.pipe(v.array(assetType), v.maxLength(16))),
  chainFilter: v.optional(v.pipe(v.array(chainId), v.maxLength(64))),
})
const paramsSchema = v.union([
  v.looseTuple([assetsRequestSchema]),
  v.pipe(
    assetsRequestSchema,
    v.transform((item) => [item] as const),
  ),
])

/** An asset as returned by `wallet_getAssets` (ERC-7811). */
interface Asset {
  readonly address: string
  readonly balance: Hex
  readonly type: 'NATIVE' | 'ERC20'
  readonly metadata: {
    readonly name: string
    readonly symbol: string
    readonly decimals: number
    /** Always 0, because the wallet does not know prices. */
    readonly price: 0
    readonly iconUrl: ''
  }
}

/**
 * Handles `wallet_getAssets` (ERC-7811). Returns the account's current balances on this wallet's networks, as reported by their
 * nodes.
 */
export async function getAssets(context: FrameContext, { params }: Pick<WalletRpcRequest, 'params'>): Promise<unknown> {
  const parsed = v.safeParse(paramsSchema, params)
  if (!parsed.success) throw new PublicError('wallet_getAssets: Expected an account and filters')
  const [{ account, assetFilter, assetTypeFilter, chainFilter }] = parsed.output
  const open = (await context.wallet()).opened()
  if (!open) throw new PublicError('Not signed in')
  const { networks } = await context.config()
  const served = networks.filter((chain): chain is ChainId<'eip155'> => chain.startsWith('eip155:'))
  // A smart account has the same address on every network with a bundler.
  const own = await Promise.all(served.map((chain) => getWalletAccounts(context, open, chain)))
  const mine = [open.addresses.eip155, ...own.flat().map(({ address }) => address)]
  if (!mine.some((item) => item.toLowerCase() === account)) throw new PublicError('This account is not in the wallet')
  const wants = (type: string): boolean => assetTypeFilter?.includes(type) ?? true
  // `assetFilter` takes precedence over the other filters.
  const chains = assetFilter
    ? served.filter((chain) => Object.hasOwn(assetFilter, chain))
    : served.filter((chain) => chainFilter?.includes(chain) ?? true)
  const found = await Promise.all(
    chains.map(async (chain) => {
      const named = assetFilter?.[chain]
      const native = named ? named.some(({ type }) => type === 'native') : wants('native')
      const tokens = named
        ? named.flatMap(({ address, type }) => (type === 'erc20' && address !== 'native' ? [address] : []))
        : wants('erc20')
          ? knownTokens(chain)
          : []
      const all = await Promise.all([
        ...(native ? [getCoinAsset(context, chain, account)] : []),
        ...[...new Set(tokens)].map((token) => getTokenAsset(context, chain, account, token)),
      ])
      // Zero balances are only included for requested assets and native currency.
      const assets = all
        .filter((item) => item !== undefined)
        .filter((item) => named || BigInt(item.balance) > 0n || item.type === 'NATIVE')
      return [toHex(BigInt(chain.slice('eip155:'.length))), assets] as const
    }),
  )
  return Object.fromEntries(found)
}

async function getCoinAsset({ rpc }: FrameContext, chain: ChainId, account: string): Promise<Asset | undefined> {
  const response = await rpc(chain, 'eth_getBalance', [account, 'latest']).catch(() => undefined)
  if (!isHex(response)) return undefined
  const { symbol, decimals } = networkName(chain)
  return {
    address: 'native',
    balance: toHex(hexToBigInt(response)),
    type: 'NATIVE',
    metadata: { name: symbol, symbol, decimals, price: 0, iconUrl: '' },
  }
}

const abi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
])

/**
 * Resolves to a token as an asset. Resolves to `undefined` if the address is not a token or the network does not respond, so that
 * the other assets are still returned.
 */
async function getTokenAsset(
  { rpc }: FrameContext,
  chain: ChainId,
  account: string,
  token: string,
): Promise<Asset | undefined> {
  const ask = async (data: Hex): Promise<Hex> => {
    const response = await rpc(chain, 'eth_call', [{ to: token, data }, 'latest'])
    if (!isHex(response)) throw new PublicError('The network returned an invalid response')
    return response
  }
  const own = encodeFunctionData({ abi, functionName: 'balanceOf', args: [account as Hex] })
  const word = async (functionName: 'name' | 'symbol' | 'decimals') =>
    decodeFunctionResult({ abi, functionName, data: await ask(encodeFunctionData({ abi, functionName })) })
  try {
    const [balance, decimals, symbol, name] = await Promise.all([
      ask(own).then((data) => decodeFunctionResult({ abi, functionName: 'balanceOf', data })),
      word('decimals'),
      word('symbol'),
      word('name').catch(() => ''),
    ])
    return {
      address: token,
      balance: toHex(balance),
      type: 'ERC20',
      metadata: {
        name: sanitizeText(untrusted(String(name)), { maxLength: 64 }).text,
        symbol: sanitizeText(untrusted(String(symbol)), { maxLength: 20 }).text,
        decimals: Number(decimals),
        price: 0,
        iconUrl: '',
      },
    }
  } catch {
    return undefined
  }
}
