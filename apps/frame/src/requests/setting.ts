import type { Account } from '../accounts.ts'
import type { Setting } from '../subject.ts'
import type { OpenWallet } from '../wallet.ts'
import type { RpcAsked } from './asked.ts'

/**
 * What stands around an approval: who asks, where, with which account (its key, unless another is named), and whether that account could
 * be lost with one thing.
 */
export function settingOf(
  { origin, chain }: Pick<RpcAsked, 'origin' | 'chain'>,
  open: OpenWallet,
  used?: Account,
): Setting {
  const key = chain.startsWith('solana:') ? open.addresses.solana : open.addresses.eip155
  return {
    origin,
    chain,
    account: used?.address ?? key,
    isContract: used?.type === 'smartAccount',
    protecting: open.single ? open.protecting : undefined,
  }
}
