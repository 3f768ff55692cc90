import type { ChainId } from '@latchkey/protocol/caip'
import {
  decodeAbiParameters,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  hexToString,
  isHex,
  parseAbi,
} from 'viem'
import type { NodeRpc } from '../nodeRpc.ts'
import { type UntrustedText, untrusted } from './pageText.ts'

/**
 * What stands at an address, as far as its own answers settle it. `none`: no code. `unknown`: code, but the answers are missing,
 * contradict each other, or fit several standards.
 */
export type ContractKind = 'none' | 'erc20' | 'erc721' | 'erc1155' | 'unknown'

/** What is known of the contract at an address. Everything but `kind` is the contract's own word. */
export interface ContractFacts {
  readonly kind: ContractKind
  readonly symbol?: UntrustedText | undefined
  /** Absent where the contract does not answer, or where no amount could be written with it. */
  readonly decimals?: number | undefined
  /** How much there is of an ERC-20 altogether. */
  readonly supply?: bigint | undefined
}

/** By address in lower case. */
export type Contracts = Readonly<Record<string, ContractFacts>>

/** What is assumed of an address that was not asked about. */
export const unknownContract: ContractFacts = { kind: 'unknown' }

/** The facts of `address`. */
export function factsOf(contracts: Contracts, address: string): ContractFacts {
  const key = address.toLowerCase()
  return Object.hasOwn(contracts, key) ? (contracts[key] ?? unknownContract) : unknownContract
}

/** So many contracts are asked about for one approval; the effect on any more is not determined. */
export const maxContracts = 24

/** Asks the network what stands at `addresses`, the first 24 of them. `account` is the one that would act, `numbersFor` what it says to each. */
export async function readContracts(
  rpc: NodeRpc,
  {
    chain,
    account,
    addresses,
    numbersFor = () => [],
  }: {
    chain: ChainId
    account: string
    addresses: readonly string[]
    /** Amounts or numbers of items that a contract would be given; which of them, its own answers decide. [none] */
    numbersFor?: (address: string) => readonly bigint[]
  },
): Promise<Contracts> {
  const distinct = [...new Set(addresses.map((address) => address.toLowerCase()))].slice(0, maxContracts)
  const facts = await Promise.all(
    distinct.map(async (address) => {
      const numbers = [...new Set([1n, ...numbersFor(address)])].slice(0, maxNumbers)
      return [address, await readContract(rpc, { chain, account, address, numbers })] as const
    }),
  )
  return Object.fromEntries(facts)
}

/** So many numbers are asked about, whether they are items. */
const maxNumbers = 8

const abi = parseAbi([
  'function supportsInterface(bytes4 interfaceId) view returns (bool)',
  'function decimals() view returns (uint8)',
  'function symbol() view returns (string)',
  'function totalSupply() view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function getApproved(uint256 id) view returns (address)',
  'function ownerOf(uint256 id) view returns (address)',
])

// ERC-165: itself, and the one that no contract may support.
const erc165 = '0x01ffc9a7'
const invalid = '0xffffffff'
const erc721 = '0x80ac58cd'
const erc1155 = '0xd9b67a26'

/** More decimals than this write no amount that a person could read. */
export const maxDecimals = 36

async function readContract(
  rpc: NodeRpc,
  {
    chain,
    account,
    address,
    numbers,
  }: { chain: ChainId; account: string; address: string; numbers: readonly bigint[] },
): Promise<ContractFacts> {
  const call = async (data: Hex): Promise<Answer> => {
    try {
      const result = await rpc<unknown>(chain, 'eth_call', [{ from: account, to: address, data }, 'latest'])
      if (!isHex(result)) return 'unclear'
      return result === '0x' ? 'none' : result
    } catch (error) {
      return isRevert(error) ? 'none' : 'unclear'
    }
  }
  const supports = async (id: Hex): Promise<boolean | 'none' | 'unclear'> => {
    const answer = await call(encodeFunctionData({ abi, functionName: 'supportsInterface', args: [id] }))
    if (answer === 'none' || answer === 'unclear') return answer
    const word = wordIn(answer)
    return word === 1n ? true : word === 0n ? false : 'unclear'
  }
  const [code, self] = await Promise.all([
    rpc<unknown>(chain, 'eth_getCode', [address, 'latest']).catch(() => undefined),
    supports(erc165),
  ])
  if (!isHex(code)) return unknownContract
  if (code === '0x') return { kind: 'none' }

  const [liar, items, multi, decimals, symbol, supply, allowance, itemAnswers] = await Promise.all([
    self === true ? supports(invalid) : false,
    self === true ? supports(erc721) : false,
    self === true ? supports(erc1155) : false,
    call(encodeFunctionData({ abi, functionName: 'decimals' })),
    call(encodeFunctionData({ abi, functionName: 'symbol' })),
    call(encodeFunctionData({ abi, functionName: 'totalSupply' })),
    // An ERC-721 and an ERC-1155 have no allowance, an ERC-20 must: this tells them apart where ERC-165 does not.
    call(encodeFunctionData({ abi, functionName: 'allowance', args: [account as Hex, address as Hex] })),
    // Hybrids that deny or do not know ERC-165 (ERC-404) are told by what only items have.
    Promise.all(
      numbers.flatMap((number) =>
        (['getApproved', 'ownerOf'] as const).map((functionName) =>
          call(encodeFunctionData({ abi, functionName, args: [number] })),
        ),
      ),
    ),
  ])
  const named = { symbol: symbolIn(symbol) }
  const unclear = { kind: 'unknown', ...named } as const
  // Answers that ERC-165 does not know, and a denial of ERC-165 by ERC-165 itself, settle nothing.
  if (self === 'unclear' || self === false || liar !== false) return unclear
  if (typeof items !== 'boolean' || typeof multi !== 'boolean' || (items && multi)) return unclear
  // What claims items and answers for amounts as well (some hybrids do both) reads one call in two ways.
  if (items || multi) return allowance === 'none' ? { kind: items ? 'erc721' : 'erc1155', ...named } : unclear
  const total = wordIn(supply)
  if (wordIn(allowance) === undefined || total === undefined || decimals === 'unclear') return unclear
  if (itemAnswers.some((answer) => answer !== 'none')) return unclear
  const places = wordIn(decimals)
  return {
    kind: 'erc20',
    ...named,
    decimals: places !== undefined && places <= maxDecimals ? Number(places) : undefined,
    supply: total,
  }
}

/** What a read came to: bytes, nothing (it reverted, or there is no such function), or something that settles nothing. */
type Answer = Hex | 'none' | 'unclear'

function wordIn(answer: Answer): bigint | undefined {
  return answer !== 'none' && answer !== 'unclear' && answer.length === 66 ? hexToBigInt(answer) : undefined
}

/** Nodes agree on no code for a revert. Anything else, a network that cannot be reached above all, must not count as the contract's no. */
function isRevert(error: unknown): boolean {
  return (
    error instanceof Error &&
    /revert|invalid opcode|undefined instruction|bad instruction|out of gas|stack underflow|VM exception/i.test(
      error.message,
    )
  )
}

/** A symbol, also as the bytes32 of the oldest tokens. */
function symbolIn(answer: Answer): UntrustedText | undefined {
  if (answer === 'none' || answer === 'unclear' || answer.length > 10_000) return undefined
  try {
    const symbol =
      answer.length === 66
        ? hexToString(decodeAbiParameters([{ type: 'bytes32' }], answer)[0], { size: 32 })
        : decodeFunctionResult({ abi, functionName: 'symbol', data: answer })
    return symbol === '' ? undefined : untrusted(symbol)
  } catch {
    return undefined
  }
}
