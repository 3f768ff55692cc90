import type { ChainId } from '@latchkey/protocol/caip'
import type { WireAccountType } from '@latchkey/protocol/frame/messages'
import type { FrameContext } from '../frameContext.ts'
import { namespaceOf } from '../pageSettings.ts'
import { PublicError } from '../publicError.ts'
import type { OpenedWallet } from './embeddedWallet.ts'

/** An account as exposed to a page: the key's own account (EOA), or a smart account that the key owns. */
export interface WalletAccount {
  readonly type: WireAccountType
  readonly address: string
}

/**
 * Resolves to an unlocked wallet's accounts on `chain`, starting with the active one. Smart accounts require a bundler for the
 * network.
 */
export async function getWalletAccounts(
  context: FrameContext,
  wallet: Pick<OpenedWallet, 'addresses'>,
  chain: ChainId,
): Promise<readonly [WalletAccount, ...WalletAccount[]]> {
  const { solana, eip155 } = wallet.addresses
  if (namespaceOf(chain) === 'solana') return [{ type: 'eoa', address: solana }]
  const eoa: WalletAccount = { type: 'eoa', address: eip155 }
  if (!(await hasBundler(context, chain))) return [eoa]
  const { getSafe } = await import('../smartAccount/safe.ts')
  // The wallet's own addresses are always valid hex.
  const contract: WalletAccount = { type: 'smartAccount', address: getSafe(eip155 as `0x${string}`).address }
  return context.settings.accountType('eip155') === 'smartAccount' ? [contract, eoa] : [eoa, contract]
}

/**
 * Resolves to the account that the page requested, or to the active account if it requested none.
 * @throws {PublicError} if the account is not in the wallet.
 */
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

/** Resolves to whether smart accounts are available on `chain`. */
export async function hasBundler({ config }: Pick<FrameContext, 'config'>, chain: ChainId): Promise<boolean> {
  return (await config()).bundlers.includes(chain)
}
