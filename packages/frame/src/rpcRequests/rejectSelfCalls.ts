import type { Hex } from 'viem'
import type { Call } from '../decoders/decodeCall.ts'
import { PublicError } from '../publicError.ts'
import type { OpenedWallet } from '../wallet/embeddedWallet.ts'

/**
 * Rejects calls to the account's smart account contract or to its own EOA address. Such calls can change the account's owners or
 * code, or make nested calls that are neither displayed nor simulated. Transfers without calldata are allowed.
 * @throws {PublicError} if a call is rejected.
 */
export async function rejectSelfCalls(
  { addresses }: Pick<OpenedWallet, 'addresses'>,
  calls: readonly Call[],
): Promise<void> {
  if (calls.every(({ data }) => data === '0x')) return
  const { getSafe } = await import('../smartAccount/safe.ts')
  // The address was derived by the frame itself, so the cast is safe.
  const ownAddresses = [addresses.eip155, getSafe(addresses.eip155 as Hex).address].map((address) =>
    address.toLowerCase(),
  )
  if (calls.some(({ to, data }) => data !== '0x' && to !== undefined && ownAddresses.includes(to.toLowerCase())))
    throw new PublicError('A page cannot send calls to the account itself')
}
