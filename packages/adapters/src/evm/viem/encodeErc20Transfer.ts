import { type Address, erc20Abi, type Hex } from 'viem'
import { encodeFunctionData } from 'viem/utils'

/** Encodes the calldata for an ERC-20 transfer. */
export function encodeErc20Transfer({ to, amount }: { to: string; amount: bigint }): Hex {
  // Only mixed-case addresses have a checksum (EIP-55), but viem also verifies uppercase addresses.
  const address = (/[a-f]/.test(to) ? to : to.toLowerCase()) as Address
  return encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [address, amount] })
}
