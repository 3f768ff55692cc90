import type { Hex } from 'viem'
import type { Call } from '../readable/call.ts'
import { Refusal } from '../refusal.ts'
import type { OpenWallet } from '../wallet.ts'

/**
 * Throws for a call of the account's own contract, or of the key's own address: these say who owns the account and what acts for it, or
 * carry calls within calls that no screen shows and no simulation counts. Coins without data may go there.
 */
export async function refuseOwnCalls(
  { addresses }: Pick<OpenWallet, 'addresses'>,
  calls: readonly Call[],
): Promise<void> {
  if (calls.every(({ data }) => data === '0x')) return
  const { safeOf } = await import('../smart/safe.ts')
  // An address of our own making.
  const own = [addresses.eip155, safeOf(addresses.eip155 as Hex).address].map((one) => one.toLowerCase())
  if (calls.some(({ to, data }) => data !== '0x' && to !== undefined && own.includes(to.toLowerCase())))
    throw new Refusal('A page may not give orders to the account itself')
}
