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
import type { ChainRpcClient } from '../networks/chainRpcClient.ts'
import { type UntrustedText, untrusted } from './untrustedText.ts'

/**
 * The kind of contract at an address, as determined from the contract's own responses. `none` means that there is no code.
 * `unknown` means that the responses are missing or contradictory, or match several standards.
 */
export type ContractKind = 'none' | 'erc20' | 'erc721' | 'erc1155' | 'unknown'

/** Facts about the contract at an address. All fields except `kind` are the contract's own claims. */
export interface ContractFacts {
  readonly kind: ContractKind
  readonly symbol?: UntrustedText | undefined
  /** The number of decimals. Absent if the contract does not report a usable number. */
  readonly decimals?: number | undefined
  /** The total supply of an ERC-20. */
  readonly supply?: bigint | undefined
}

/** Contract facts, keyed by lowercase address. */
export type Contracts = Readonly<Record<string, ContractFacts>>

/** The facts assumed for an address that was not queried. */
export const unknownContract: ContractFacts = { kind: 'unknown' }

/** Returns the facts about `address`, or `unknownContract` if the address was not queried. */
export function factsOf(contracts: Contracts, address: string): ContractFacts {
  const key = address.toLowerCase()
  return Object.hasOwn(contracts, key) ? (contracts[key] ?? unknownContract) : unknownContract
}

/** The maximum number of contracts that `readContracts` queries. The effects of calls to further contracts are unknown. */
export const maxContracts = 24

/**
 * Reads the facts about the first 24 `addresses`. `account` is the acting account, and `numbersFor` returns the numbers that the
 * account passes to each contract.
 */
export async function readContracts(
  rpc: ChainRpcClient,
  {
    chain,
    account,
    addresses,
    numbersFor = () => [],
  }: {
    chain: ChainId
    account: string
    addresses: readonly string[]
    /**
     * Returns the numbers that are passed to a contract, which can be amounts or token IDs. Defaults to none.
     */
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

/** The maximum number of values per contract that are tested as token IDs. */
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

// The interface ID of ERC-165 itself, and the ID that no contract is allowed to support.
const erc165 = '0x01ffc9a7'
const invalid = '0xffffffff'
const erc721 = '0x80ac58cd'
const erc1155 = '0xd9b67a26'

/** The maximum number of decimals for which amounts are readable. */
export const maxDecimals = 36

async function readContract(
  rpc: ChainRpcClient,
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
    // ERC-20 requires `allowance`, which ERC-721 and ERC-1155 do not have. This distinguishes the standards without ERC-165.
    call(encodeFunctionData({ abi, functionName: 'allowance', args: [account as Hex, address as Hex] })),
    // Hybrids without ERC-165 support (ERC-404) are recognized by functions that only NFTs have.
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
  // A response that violates ERC-165 is inconclusive, and so are the responses of a contract that denies that it supports
  // ERC-165.
  if (self === 'unclear' || self === false || liar !== false) return unclear
  if (typeof items !== 'boolean' || typeof multi !== 'boolean' || (items && multi)) return unclear
  // A contract that claims to be an NFT but also has allowances (some hybrids do) could interpret the same call in two ways.
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

/**
 * The result of a call. `none` means that the call reverted or the function does not exist. `unclear` means that the response is
 * inconclusive.
 */
type Answer = Hex | 'none' | 'unclear'

function wordIn(answer: Answer): bigint | undefined {
  return answer !== 'none' && answer !== 'unclear' && answer.length === 66 ? hexToBigInt(answer) : undefined
}

/**
 * Whether an error is a revert. Nodes have no common error code for reverts. Other errors, such as an unreachable network, must
 * not be treated as reverts.
 */
function isRevert(error: unknown): boolean {
  return (
    error instanceof Error &&
    /revert|invalid opcode|undefined instruction|bad instruction|out of gas|stack underflow|VM exception/i.test(
      error.message,
    )
  )
}

/** Decodes a symbol, including the bytes32 symbols of old tokens. */
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

/** Whether an allowance covers the total supply of a token, which makes it effectively unlimited. */
export function isWholeSupply(contracts: Contracts, of: string, amount: bigint | 'unlimited'): boolean {
  const { supply } = factsOf(contracts, of)
  return amount === 'unlimited' || (supply !== undefined && supply > 0n && amount >= supply)
}
