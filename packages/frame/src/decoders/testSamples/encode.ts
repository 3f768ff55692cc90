// Encodes calldata and logs from human-readable ABIs, so that every byte of a sample comes from its ABI.

import {
  type AbiEvent,
  type AbiFunction,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  type Hex,
  parseAbiItem,
} from 'viem'
import type { SampleCall, SampleContract, SampleLog, TransactionSample } from './sample.ts'

/** The user's account. */
export const me: Hex = '0xa11ce0000000000000000000000000000000a11c'
/** A recipient known to the user. */
export const friend: Hex = '0xf41e4d0000000000000000000000000000f41e4d'
/** An attacker. */
export const attacker: Hex = '0x7b1ef000000000000000000000000000007b1ef0'
/** A third party with assets. */
export const stranger: Hex = '0x57a96e00000000000000000000000000057a96e0'
/** The contract of a marketplace or exchange. */
export const exchange: Hex = '0xe8c4a49e0000000000000000000000000e8c4a49'
/** The zero address. */
export const zero: Hex = '0x0000000000000000000000000000000000000000'
/** The address from which `eth_simulateV1` with `traceTransfers` logs native transfers. */
export const coinLogs: Hex = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

/** USD Coin on Ethereum. */
export const usdc: Hex = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
/** Tether USD on Ethereum, whose functions return nothing. */
export const usdt: Hex = '0xdac17f958d2ee523a2206206994597c13d831ec7'
/** Dai on Ethereum. */
export const dai: Hex = '0x6b175474e89094c44da98b954eedeac495271d0f'
/** Wrapped Ether on Ethereum. */
export const weth: Hex = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
/** A collection of ERC-721 items. */
export const apes: Hex = '0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d'
/** A collection of ERC-1155 items. */
export const shapes: Hex = '0x495f947276749ce646f68ac8c248420045cb7b5e'
/** Permit2, at the same address on every network except zkSync. */
export const permit2: Hex = '0x000000000022d473030f116ddee9f6b43ac78ba3'
/** A contract that reverts on every read. */
export const opaque: Hex = '0x0bad00000000000000000000000000000000c0de'

/** The largest uint256. */
export const maxUint256 = 2n ** 256n - 1n

/** The kinds and metadata of the contracts above. */
const known: Readonly<Record<string, SampleContract>> = {
  [usdc]: { kind: 'erc20', name: 'USD Coin', symbol: 'USDC', decimals: 6 },
  [usdt]: { kind: 'erc20', name: 'Tether USD', symbol: 'USDT', decimals: 6 },
  [dai]: { kind: 'erc20', name: 'Dai Stablecoin', symbol: 'DAI', decimals: 18 },
  [weth]: { kind: 'erc20', name: 'Wrapped Ether', symbol: 'WETH', decimals: 18 },
  [apes]: { kind: 'erc721', name: 'BoredApeYachtClub', symbol: 'BAYC' },
  [shapes]: { kind: 'erc1155', name: 'OpenSea Shared Storefront', symbol: 'OPENSTORE' },
  [opaque]: { kind: 'unknown' },
  [exchange]: { kind: 'unknown' },
  [permit2]: { kind: 'unknown' },
}

/** Encodes a call to the function with `signature`, such as `function name(type name)`. */
export function call(to: Hex, signature: string, args: readonly unknown[], value = 0n): SampleCall {
  const item = parseAbiItem(signature) as AbiFunction
  return { to, value, data: encodeFunctionData({ abi: [item], functionName: item.name, args }), signature }
}

/** Returns a call with raw data, for native transfers and malformed calldata. */
export function rawCall(to: Hex, data: Hex, value = 0n): SampleCall {
  return { to, value, data }
}

/** Encodes a log of the event with `signature`. `args` are in the event's order, whether or not they are indexed. */
export function log(address: Hex, signature: string, args: readonly unknown[]): SampleLog {
  const event = parseAbiItem(signature) as AbiEvent
  const plain = event.inputs.filter(({ indexed }) => !indexed)
  const argsOf = (indexed: boolean) => args.filter((_, at) => Boolean(event.inputs[at]?.indexed) === indexed)
  const topics = encodeEventTopics({ abi: [event], eventName: event.name, args: argsOf(true) as never })
  return { address, topics: topics as Hex[], data: encodeAbiParameters(plain, argsOf(false)) }
}

/** Encodes the "Transfer" event of EIP-20. */
export function erc20Transfer(token: Hex, from: Hex, to: Hex, amount: bigint): SampleLog {
  return log(token, 'event Transfer(address indexed from, address indexed to, uint256 value)', [from, to, amount])
}

/** Encodes the "Transfer" event of EIP-721. The ID is indexed, so the log has four topics. */
export function erc721Transfer(token: Hex, from: Hex, to: Hex, id: bigint): SampleLog {
  return log(token, 'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)', [from, to, id])
}

/** Encodes the "TransferSingle" event of EIP-1155. */
export function transferSingle(token: Hex, from: Hex, to: Hex, id: bigint, count: bigint): SampleLog {
  const event =
    'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)'
  return log(token, event, [from, from, to, id, count])
}

/** Encodes the "TransferBatch" event of EIP-1155. */
export function transferBatch(
  token: Hex,
  from: Hex,
  to: Hex,
  ids: readonly bigint[],
  counts: readonly bigint[],
): SampleLog {
  const event =
    'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)'
  return log(token, event, [from, from, to, ids, counts])
}

/** Encodes the log with which `eth_simulateV1` reports a native transfer. */
export function coinTransfer(from: Hex, to: Hex, amount: bigint): SampleLog {
  return erc20Transfer(coinLogs, from, to, amount)
}

/**
 * Creates a sample transaction from the user's account on Ethereum, with the contracts above and a node that cannot simulate
 * transactions.
 */
export function transaction(
  sample: Pick<TransactionSample, 'id' | 'source' | 'calls' | 'expect'> & Partial<TransactionSample>,
): TransactionSample {
  return { from: me, chainId: 1, simulation: 'unavailable', ...sample, contracts: { ...known, ...sample.contracts } }
}
