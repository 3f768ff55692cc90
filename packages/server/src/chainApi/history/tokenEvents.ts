import type { EventLog } from './evmSchemas.ts'

// The events of token contracts. Topics are keccak-256 hashes of the signatures in the comments.

/** `Transfer(address,address,uint256)` of ERC-20 and ERC-721. */
export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** `TransferSingle(address,address,address,uint256,uint256)` of ERC-1155. */
export const transferSingleTopic = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
/** `TransferBatch(address,address,address,uint256[],uint256[])` of ERC-1155. */
export const transferBatchTopic = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'
/** `Approval(address,address,uint256)` of ERC-20 and ERC-721. */
const approvalTopic = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'
/** `ApprovalForAll(address,address,bool)` of ERC-721 and ERC-1155. */
const approvalForAllTopic = '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31'
/** `Deposit(address,uint256)` of the wrapped native currency. */
const depositTopic = '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c'
/** `Withdrawal(address,uint256)` of the wrapped native currency. */
const withdrawalTopic = '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65'

const zero = '0x0000000000000000000000000000000000000000'
/** The maximum number of entries of a batch that are read. */
const maxBatch = 200

/**
 * A movement of tokens that an event reports. Any contract can emit any event, so only events of known contracts can be
 * trusted.
 */
export interface TokenMovement {
  readonly kind: 'fungible' | 'nft'
  readonly token: `0x${string}`
  readonly tokenId?: bigint | undefined
  readonly amount: bigint
  readonly from: `0x${string}`
  readonly to: `0x${string}`
}

/** Returns the movements that a log reports. */
export function movementsIn(log: EventLog, wrappedNative: `0x${string}` | undefined): readonly TokenMovement[] {
  const { address: token, topics } = log
  const [event, first, second, third] = topics
  if (event === transferTopic && first && second) {
    const parties = { token, from: addressIn(first), to: addressIn(second) }
    if (third) return [{ ...parties, kind: 'nft', tokenId: BigInt(third), amount: 1n }]
    const [amount] = words(log.data)
    return amount === undefined ? [] : [{ ...parties, kind: 'fungible', amount }]
  }
  if (event === transferSingleTopic && second && third) {
    const [tokenId, amount] = words(log.data)
    if (tokenId === undefined || amount === undefined) return []
    return [{ kind: 'nft', token, tokenId, amount, from: addressIn(second), to: addressIn(third) }]
  }
  if (event === transferBatchTopic && second && third) {
    const [ids, amounts] = listsIn(words(log.data))
    const parties = { kind: 'nft' as const, token, from: addressIn(second), to: addressIn(third) }
    return ids.flatMap((tokenId, at) => {
      const amount = amounts[at]
      return amount === undefined ? [] : [{ ...parties, tokenId, amount }]
    })
  }
  if (token !== wrappedNative || !first) return []
  // Wrapping does not emit a `Transfer`.
  const [amount] = words(log.data)
  if (amount === undefined) return []
  if (event === depositTopic) return [{ kind: 'fungible', token, amount, from: zero, to: addressIn(first) }]
  if (event === withdrawalTopic) return [{ kind: 'fungible', token, amount, from: addressIn(first), to: zero }]
  return []
}

/** Whether a log reports that `account` has approved a spender. */
export function isApprovalBy(account: string, { topics }: EventLog): boolean {
  const [event, owner] = topics
  return (
    (event === approvalTopic || event === approvalForAllTopic) && owner !== undefined && addressIn(owner) === account
  )
}

function addressIn(topic: string): `0x${string}` {
  return `0x${topic.slice(-40)}`
}

/** Returns the 32-byte words of `data`. Only as many as a batch can have are read. */
function words(data: string): readonly bigint[] {
  const count = Math.min(Math.floor((data.length - 2) / 64), 2 * maxBatch + 4)
  return Array.from({ length: count }, (_, at) => BigInt(`0x${data.slice(2 + at * 64, 66 + at * 64)}`))
}

function listsIn(data: readonly bigint[]): readonly [readonly bigint[], readonly bigint[]] {
  return [listAt(data, data[0]), listAt(data, data[1])]
}

function listAt(data: readonly bigint[], offset: bigint | undefined): readonly bigint[] {
  if (offset === undefined || offset % 32n !== 0n || offset / 32n >= BigInt(data.length)) return []
  const start = Number(offset / 32n)
  const length = data[start] ?? 0n
  if (length > BigInt(maxBatch)) return []
  return data.slice(start + 1, start + 1 + Number(length))
}
