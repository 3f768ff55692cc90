import { type Address, erc20Abi, type Hex } from 'viem'
import { encodeFunctionData } from 'viem/utils'

/** The call data of an ERC-20 transfer. */
export function encodeTransfer({ to, amount }: { to: string; amount: bigint }): Hex {
  // Only mixed case is a checksum (EIP-55). viem also verifies upper case.
  const address = (/[a-f]/.test(to) ? to : to.toLowerCase()) as Address
  return encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [address, amount] })
}
