import type { ChainId } from '@latchkey/protocol/caip'
import type { WireAccountType } from '@latchkey/protocol/frame/messages'
import type { OpenedWallet } from './embeddedWallet.ts'
import type { FrameContext } from './frameContext.ts'
import { namespaceOf } from './pageSettings.ts'
import { PublicError } from './publicError.ts'

/** An account as a page sees it: the key itself, or a contract that the key owns. */
export interface WalletAccount {
  readonly type: WireAccountType
  readonly address: string
}

/** The accounts of an open wallet on `chain`, the one in use first. There is no contract where there is no bundler. */
export async function getWalletAccounts(
  context: FrameContext,
  wallet: Pick<OpenedWallet, 'addresses'>,
  chain: ChainId,
): Promise<readonly [WalletAccount, ...WalletAccount[]]> {
  const { solana, eip155 } = wallet.addresses
  if (namespaceOf(chain) === 'solana') return [{ type: 'eoa', address: solana }]
  const eoa: WalletAccount = { type: 'eoa', address: eip155 }
  if (!(await hasBundler(context, chain))) return [eoa]
  const { getSafe } = await import('./smartAccount/safe.ts')
  // An address of our own making.
  const contract: WalletAccount = { type: 'smartAccount', address: getSafe(eip155 as `0x${string}`).address }
  return context.settings.accountType('eip155') === 'smartAccount' ? [contract, eoa] : [eoa, contract]
}

/** The account that a page names; the one in use where it names none. */
export async function resolveAccount(
  context: FrameContext,
  wallet: Pick<OpenedWallet, 'addresses'>,
  { chain, address }: { chain: ChainId; address: string | undefined },
): Promise<WalletAccount> {
  const accounts = await getWalletAccounts(context, wallet, chain)
  if (address === undefined) return accounts[0]
  const found = accounts.find((account) => account.address.toLowerCase() === address.toLowerCase())
  if (!found) throw new PublicError('This account is not in the wallet')
  return found
}

/** Whether an account may be a contract on `chain`. */
export async function hasBundler({ config }: Pick<FrameContext, 'config'>, chain: ChainId): Promise<boolean> {
  return (await config()).bundlers.includes(chain)
}
