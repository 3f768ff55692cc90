import { type Address, erc20Abi, type Hex } from 'viem'
import { encodeFunctionData } from 'viem/utils'

/** The call data of an ERC-20 transfer. */
export function encodeTransfer({ to, amount }: { to: string; amount: bigint }): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to as Address, amount] })
}
