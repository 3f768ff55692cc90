import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionResult,
  type Hex,
  numberToHex,
  parseAbi,
  slice,
} from 'viem'
import type { ChainRpcClient } from '../../networks/chainRpcClient.ts'
import { PublicError } from '../../publicError.ts'
import type { SampleContract, TransactionSample } from '../testSamples/sample.ts'

/** The false responses of a dishonest contract, keyed by selector or by full calldata. */
export type SampleOverrides = Readonly<Record<string, Hex | Error>>

const abi = parseAbi([
  'function supportsInterface(bytes4 interfaceId) view returns (bool)',
  'function decimals() view returns (uint8)',
  'function symbol() view returns (string)',
  'function name() view returns (string)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address owner) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function getApproved(uint256 id) view returns (address)',
  'function ownerOf(uint256 id) view returns (address)',
])
const interfaces: Readonly<Record<string, readonly string[]>> = {
  erc721: ['0x01ffc9a7', '0x80ac58cd', '0x5b5e139f'],
  erc1155: ['0x01ffc9a7', '0xd9b67a26', '0x0e89341c'],
}

/** Creates a node on which only the contracts of a sample exist. */
export function sampleNode({
  contracts,
  simulation = 'unavailable',
  overrides = {},
}: {
  contracts: Readonly<Record<string, SampleContract>>
  simulation?: TransactionSample['simulation']
  overrides?: Readonly<Record<string, SampleOverrides>>
}): ChainRpcClient {
  const contractAt = (address: string): SampleContract => contracts[address.toLowerCase()] ?? { kind: 'none' }
  const answer = (method: string, params: readonly unknown[]): unknown => {
    switch (method) {
      case 'eth_getCode':
        return contractAt(String(params[0])).kind === 'none' ? '0x' : '0x6001'
      case 'eth_call': {
        const { to, data } = params[0] as { to: string; data: Hex }
        const lie = overrides[to.toLowerCase()]?.[data] ?? overrides[to.toLowerCase()]?.[data.slice(0, 10)]
        if (lie instanceof Error) throw lie
        return lie ?? readOf(contractAt(to), data)
      }
      case 'eth_simulateV1': {
        if (simulation === 'unavailable')
          throw new PublicError('the method eth_simulateV1 does not exist/is not available')
        const { calls } = (params[0] as { blockStateCalls: readonly { calls: readonly object[] }[] })
          .blockStateCalls[0]!
        if (simulation === 'reverts')
          return [{ calls: calls.map(() => ({ status: '0x0', logs: [], error: { message: 'execution reverted' } })) }]
        // All logs are attached to the first call, because only the total matters.
        return [{ calls: calls.map((_, at) => ({ status: '0x1', logs: at === 0 ? simulation : [] })) }]
      }
      default:
        throw new PublicError(`the method ${method} does not exist`)
    }
  }
  return async <Result>(_chain: string, method: string, params: unknown) => {
    return answer(method, params as readonly unknown[]) as Result
  }
}

function readOf(contract: SampleContract, data: Hex): Hex {
  if (contract.kind === 'none') return '0x'
  const revert = (): never => {
    throw new PublicError('execution reverted')
  }
  const { functionName, args } = decodeFunctionData({ abi, data })
  const isErc20 = contract.kind === 'erc20'
  switch (functionName) {
    case 'supportsInterface': {
      const known = interfaces[contract.kind]
      if (!known) return revert()
      return encodeFunctionResult({ abi, functionName, result: known.includes(args[0]) })
    }
    case 'decimals':
      return contract.decimals === undefined ? revert() : numberToHex(contract.decimals, { size: 32 })
    case 'symbol':
    case 'name': {
      const text = contract[functionName]
      return text === undefined ? revert() : encodeAbiParameters([{ type: 'string' }], [text])
    }
    case 'getApproved':
    case 'ownerOf':
      return contract.kind === 'erc721' ? numberToHex(1, { size: 32 }) : revert()
    default:
      return isErc20 ? slice(numberToHex(10n ** 24n, { size: 32 }), 0, 32) : revert()
  }
}
