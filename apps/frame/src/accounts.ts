import type { ChainId } from '@latchkey/protocol/caip'
import type { WireAccountType } from '@latchkey/protocol/frame/messages'
import type { House } from './house.ts'
import { Refusal } from './refusal.ts'
import { namespaceOf } from './settings.ts'
import type { OpenWallet } from './wallet.ts'

/** An account as a page sees it: the key itself, or a contract that the key owns. */
export interface Account {
  readonly type: WireAccountType
  readonly address: string
}

/** The accounts of an open wallet on `chain`, the one in use first. There is no contract where there is no bundler. */
export async function accountsOn(
  house: House,
  open: Pick<OpenWallet, 'addresses'>,
  chain: ChainId,
): Promise<readonly [Account, ...Account[]]> {
  const { solana, eip155 } = open.addresses
  if (namespaceOf(chain) === 'solana') return [{ type: 'eoa', address: solana }]
  const key: Account = { type: 'eoa', address: eip155 }
  if (!(await hasBundler(house, chain))) return [key]
  const { safeOf } = await import('./smart/safe.ts')
  // An address of our own making.
  const contract: Account = { type: 'smartAccount', address: safeOf(eip155 as `0x${string}`).address }
  return house.settings.accountType('eip155') === 'smartAccount' ? [contract, key] : [key, contract]
}

/** The account that a page names; the one in use where it names none. */
export async function accountNamed(
  house: House,
  open: Pick<OpenWallet, 'addresses'>,
  { chain, address }: { chain: ChainId; address: string | undefined },
): Promise<Account> {
  const all = await accountsOn(house, open, chain)
  if (address === undefined) return all[0]
  const found = all.find((one) => one.address.toLowerCase() === address.toLowerCase())
  if (!found) throw new Refusal('This account is not in the wallet')
  return found
}

/** Whether an account may be a contract on `chain`. */
export async function hasBundler({ config }: Pick<House, 'config'>, chain: ChainId): Promise<boolean> {
  return (await config()).bundlers.includes(chain)
}
