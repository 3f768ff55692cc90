import type { Hex } from 'viem'
import type { Call } from '../decoders/requestedCall.ts'
import type { OpenedWallet } from '../embeddedWallet.ts'
import { PublicError } from '../publicError.ts'

/**
 * Throws for a call of the account's own contract, or of the key's own address: these say who owns the account and what acts for it, or
 * carry calls within calls that no screen shows and no simulation counts. Coins without data may go there.
 */
export async function rejectSelfCalls(
  { addresses }: Pick<OpenedWallet, 'addresses'>,
  calls: readonly Call[],
): Promise<void> {
  if (calls.every(({ data }) => data === '0x')) return
  const { getSafe } = await import('../smartAccount/safe.ts')
  // An address of our own making.
  const ownAddresses = [addresses.eip155, getSafe(addresses.eip155 as Hex).address].map((address) =>
    address.toLowerCase(),
  )
  if (calls.some(({ to, data }) => data !== '0x' && to !== undefined && ownAddresses.includes(to.toLowerCase())))
    throw new PublicError('A page may not give orders to the account itself')
}
