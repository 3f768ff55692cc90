import type { ChainId } from '@latchkey/protocol/caip'
import * as v from 'valibot'
import { decodeAbiParameters, encodeAbiParameters, type Hex, hexToBigInt, parseAbiParameters } from 'viem'
import type { ChainRpcClient } from '../networks/chainRpcClient.ts'
import { knownTokens } from '../networks/knownTokens.ts'
import { publicErrorMessage } from '../publicError.ts'
import { type ContractKind, type Contracts, factsOf } from './contractFacts.ts'
import { type UntrustedText, untrusted } from './untrustedText.ts'

/** The changes that a list of calls would make to an account, as simulated by a node. */
export type Simulation =
  /** The simulation is unavailable because the node does not support it or returned an invalid response. */
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'reverts'; readonly reason: UntrustedText | undefined }
  | {
      readonly kind: 'done'
      readonly changes: readonly Change[]
      readonly rights: readonly Right[]
      /** Whether all events were decoded. If not, the lists can be incomplete. */
      readonly isComplete: boolean
      /** Whether an event that was not decoded could mean a loss, or an approval for the account's assets. */
      readonly canLoseMore: boolean
      /** Whether the node reported native transfers. */
      readonly tellsCoin: boolean
    }

/** A balance change, which is negative for outgoing assets. Well-known tokens come first. */
export type Change =
  | { readonly kind: 'coin'; readonly amount: bigint }
  | { readonly kind: 'token'; readonly token: string; readonly amount: bigint }
  | { readonly kind: 'item'; readonly token: string; readonly id: bigint; readonly count: bigint }

/** An approval that exists after the transaction. */
export type Right =
  | {
      readonly kind: 'allowToken'
      readonly token: string
      readonly spender: string
      readonly amount: bigint | 'unlimited'
    }
  | { readonly kind: 'allowItem'; readonly token: string; readonly spender: string; readonly id: bigint }
  | { readonly kind: 'allowAll'; readonly token: string; readonly operator: string }

const hex = v.custom<Hex>((value) => typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value))
const logSchema = v.object({
  address: v.pipe(
    v.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value)),
    v.transform((address) => address.toLowerCase() as Hex),
  ),
  topics: v.pipe(v.array(hex), v.maxLength(4)),
  data: hex,
})
const callSchema = v.object({
  status: v.string(),
  logs: v.optional(v.pipe(v.array(logSchema), v.maxLength(5_000)), []),
  error: v.optional(v.object({ message: v.optional(v.string()) })),
})
const blocksSchema = v.pipe(v.array(v.object({ calls: v.array(callSchema) })), v.length(1))

type Log = v.InferOutput<typeof logSchema>

/** A simulation as returned by the node. Its events are decoded once the kinds of the emitting contracts have been queried. */
export type RawSimulation =
  | Exclude<Simulation, { readonly kind: 'done' }>
  | { readonly kind: 'done'; readonly logs: readonly Log[] }

/** Simulates `calls` in sequence, using `eth_simulateV1`. */
export async function simulate(
  rpc: ChainRpcClient,
  { chain, calls }: { chain: ChainId; calls: readonly object[] },
): Promise<RawSimulation> {
  const request = [{ blockStateCalls: [{ calls }], traceTransfers: true }, 'latest']
  const answer = await rpc<unknown>(chain, 'eth_simulateV1', request).catch((error: unknown) => ({ error }))
  const read = v.safeParse(blocksSchema, answer)
  const results = read.success ? (read.output[0]?.calls ?? []) : []
  if (results.length !== calls.length) {
    const failure = typeof answer === 'object' && answer !== null && 'error' in answer ? answer.error : undefined
    // Some nodes reject the whole request if a call reverts.
    const reason = failure instanceof Error && /revert/i.test(failure.message) ? publicErrorMessage(failure) : undefined
    return reason === undefined ? { kind: 'unavailable' } : { kind: 'reverts', reason: untrusted(reason) }
  }
  const failed = results.find(({ status }) => status !== '0x1')
  if (failed) {
    const reason = failed.error?.message
    return { kind: 'reverts', reason: reason === undefined ? undefined : untrusted(reason) }
  }
  return { kind: 'done', logs: results.flatMap(({ logs }) => logs) }
}

/**
 * Returns the contracts whose events mention `account` in an indexed argument. What an event means depends on the kind of its
 * contract. Because only a limited number of contracts is queried and anyone can emit fake incoming transfers, well-known
 * tokens come first, followed by possible losses.
 */
export function emittersFor(
  simulation: RawSimulation,
  { chain, account }: { chain: ChainId; account: string },
): readonly string[] {
  if (simulation.kind !== 'done') return []
  const topic = `0x${'0'.repeat(24)}${account.slice(2).toLowerCase()}`
  const ranks = new Map<string, number>()
  for (const log of simulation.logs) {
    const {
      address,
      topics: [, ...indexed],
    } = log
    if (address === coinAddress || !indexed.some((item) => item.toLowerCase() === topic)) continue
    const rank = isKnownToken(chain, address) ? 0 : tellsOfLoss(log, account) ? 1 : 2
    ranks.set(address, Math.min(rank, ranks.get(address) ?? rank))
  }
  return [...ranks].sort(([, a], [, b]) => a - b).map(([address]) => address)
}

/** Whether an event could mean that an asset leaves the account, or that another address is allowed to take one. */
function tellsOfLoss({ topics: [topic, ...indexed], data }: Log, account: string): boolean {
  const own = account.slice(2).toLowerCase()
  const names = (part: Hex | undefined): boolean => part?.toLowerCase().includes(own) ?? false
  const isNamed = names(data) || indexed.some(names)
  switch (topic?.toLowerCase()) {
    case topics.transfer:
    case topics.approval:
    case topics.approvalForAll:
      // Some contracts do not index the addresses.
      return indexed.length < 2 ? isNamed : names(indexed[0])
    case topics.transferSingle:
    case topics.transferBatch:
      return indexed.length < 3 ? isNamed : names(indexed[1])
    case topics.withdrawal:
      return isNamed
    default:
      return false
  }
}

const topics = {
  transfer: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  transferSingle: '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
  transferBatch: '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
  approval: '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
  approvalForAll: '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31',
  deposit: '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c',
  withdrawal: '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65',
} as const

/** The address from which `eth_simulateV1` logs native transfers. */
const coinAddress = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

/**
 * The published addresses of wrapped native tokens (WETH9 and its copies) that emit Deposit and Withdrawal instead of Transfer.
 */
const wrappedCoins: Readonly<Record<string, string>> = {
  'eip155:1': '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
  'eip155:10': '0x4200000000000000000000000000000000000006',
  'eip155:56': '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c',
  'eip155:100': '0xe91d153e0b41518a2ce8dd3d7944fa863463a97d',
  'eip155:137': '0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270',
  'eip155:8453': '0x4200000000000000000000000000000000000006',
  'eip155:43114': '0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7',
}

function isKnownToken(chain: ChainId, address: string): boolean {
  return wrappedCoins[chain] === address || knownTokens(chain).includes(address)
}

/**
 * Decodes how a simulation affects `account`. Events from contracts that do not implement the relevant standard are not decoded.
 */
export function readSimulation(
  simulation: RawSimulation,
  { chain, account, contracts }: { chain: ChainId; account: string; contracts: Contracts },
): Simulation {
  if (simulation.kind !== 'done') return simulation
  const own = account.toLowerCase()
  const changes = new Map<string, Change>()
  const rights = new Map<string, Right | undefined>()
  const add = (key: string, change: Change): void => {
    const before = changes.get(key)
    if (!before) changes.set(key, change)
    else if (before.kind === 'item' && change.kind === 'item')
      changes.set(key, { ...before, count: before.count + change.count })
    else if (before.kind !== 'item' && change.kind !== 'item')
      changes.set(key, { ...before, amount: before.amount + change.amount })
  }
  const signOf = (from: string, to: string): bigint => (to === own ? 1n : 0n) - (from === own ? 1n : 0n)

  /**
   * Whether the emitter is a kind of contract that can emit such an event. Always true for events that do not mention the
   * account.
   */
  const isFrom = (emitter: string, kinds: readonly ContractKind[], ...named: (string | undefined)[]): boolean =>
    !named.includes(own) || kinds.includes(factsOf(contracts, emitter).kind)

  /** Decodes an event. Returns whether decoding succeeded. */
  const take = ({ address, topics: [topic, ...indexed], data }: Log): boolean => {
    const move = (
      kinds: readonly ContractKind[],
      [from, to]: readonly [string | undefined, string | undefined],
      change: (sign: bigint) => void,
    ): boolean => {
      if (from === undefined || to === undefined) return false
      if (address !== coinAddress && !isFrom(address, kinds, from, to)) return false
      const sign = signOf(from, to)
      if (sign !== 0n) change(sign)
      return true
    }
    const [first, second, third] = indexed
    switch (topic?.toLowerCase()) {
      case topics.transfer: {
        if (indexed.length === 2) {
          const amount = wordIn(data)
          if (amount === undefined) return false
          return move(['erc20'], [addressIn(first), addressIn(second)], (sign) =>
            address === coinAddress
              ? add('coin', { kind: 'coin', amount: sign * amount })
              : add(address, { kind: 'token', token: address, amount: sign * amount }),
          )
        }
        if (indexed.length !== 3 || data !== '0x' || third === undefined || address === coinAddress) return false
        const id = wordIn(third)
        if (id === undefined) return false
        return move(['erc721'], [addressIn(first), addressIn(second)], (sign) =>
          add(`${address} ${id}`, { kind: 'item', token: address, id, count: sign }),
        )
      }
      case topics.transferSingle:
      case topics.transferBatch: {
        const items = indexed.length === 3 ? itemsIn(topic?.toLowerCase() === topics.transferSingle, data) : undefined
        if (!items || addressIn(first) === undefined) return false
        return move(['erc1155'], [addressIn(second), addressIn(third)], (sign) => {
          for (const { id, count } of items)
            add(`${address} ${id}`, { kind: 'item', token: address, id, count: sign * count })
        })
      }
      case topics.approval: {
        const [owner, spender] = [addressIn(first), addressIn(second)]
        if (owner === undefined || spender === undefined) return false
        if (indexed.length === 2) {
          const amount = wordIn(data)
          if (amount === undefined || !isFrom(address, ['erc20'], owner)) return false
          if (owner === own)
            rights.set(
              `${address} ${spender}`,
              amount === 0n
                ? undefined
                : { kind: 'allowToken', token: address, spender, amount: amount >> 255n ? 'unlimited' : amount },
            )
          return true
        }
        const id = third === undefined || data !== '0x' ? undefined : wordIn(third)
        if (id === undefined || !isFrom(address, ['erc721'], owner)) return false
        if (owner === own)
          rights.set(
            `${address} #${id}`,
            BigInt(spender) === 0n ? undefined : { kind: 'allowItem', token: address, spender, id },
          )
        return true
      }
      case topics.approvalForAll: {
        const [owner, operator, allowed] = [addressIn(first), addressIn(second), wordIn(data)]
        if (indexed.length !== 2 || owner === undefined || operator === undefined) return false
        if ((allowed !== 0n && allowed !== 1n) || !isFrom(address, ['erc721', 'erc1155'], owner)) return false
        if (owner === own)
          rights.set(
            `${address} all ${operator}`,
            allowed === 0n ? undefined : { kind: 'allowAll', token: address, operator },
          )
        return true
      }
      case topics.deposit:
      case topics.withdrawal: {
        const [holder, amount] = [addressIn(first), wordIn(data)]
        if (wrappedCoins[chain] !== address || indexed.length !== 1 || holder === undefined || amount === undefined)
          return false
        const sign = topic?.toLowerCase() === topics.deposit ? 1n : -1n
        if (holder === own) add(address, { kind: 'token', token: address, amount: sign * amount })
        return true
      }
      default:
        return false
    }
  }
  const odd = simulation.logs.filter((log) => !take(log))
  const rankOf = (item: Change | Right): number => (item.kind === 'coin' ? 0 : isKnownToken(chain, item.token) ? 1 : 2)
  const byRank = (a: Change | Right, b: Change | Right): number => rankOf(a) - rankOf(b)
  return {
    kind: 'done',
    changes: [...changes.values()]
      .filter((change) => (change.kind === 'item' ? change.count !== 0n : change.amount !== 0n))
      .sort(byRank),
    rights: [...rights.values()].filter((right) => right !== undefined).sort(byRank),
    isComplete: odd.length === 0,
    canLoseMore: odd.some((log) => tellsOfLoss(log, own)),
    tellsCoin: simulation.logs.some(({ address }) => address === coinAddress),
  }
}

function wordIn(data: Hex): bigint | undefined {
  return data.length === 66 ? hexToBigInt(data) : undefined
}

/** Returns the address in a topic, or `undefined` if the topic is not an address. */
function addressIn(topic: Hex | undefined): string | undefined {
  return topic !== undefined && /^0x0{24}[0-9a-f]{40}$/i.test(topic) ? `0x${topic.slice(26).toLowerCase()}` : undefined
}

const pair = parseAbiParameters('uint256 id, uint256 value')
const lists = parseAbiParameters('uint256[] ids, uint256[] values')

function itemsIn(isSingle: boolean, data: Hex): readonly { id: bigint; count: bigint }[] | undefined {
  try {
    if (isSingle) {
      if (data.length !== 2 + 128) return undefined
      const [id, count] = decodeAbiParameters(pair, data)
      return [{ id, count }]
    }
    const [ids, values] = decodeAbiParameters(lists, data)
    if (ids.length !== values.length || encodeAbiParameters(lists, [ids, values]) !== data.toLowerCase())
      return undefined
    return ids.map((id, at) => ({ id, count: values[at] ?? 0n }))
  } catch {
    return undefined
  }
}
