import type { Setting } from '../subject.ts'
import type { OpenWallet } from '../wallet.ts'
import type { RpcAsked } from './asked.ts'

/** What stands around an approval: who asks, where, with which account, and whether that account could be lost with one thing. */
export function settingOf({ origin, chain }: RpcAsked, open: OpenWallet): Setting {
  const account = chain.startsWith('solana:') ? open.addresses.solana : open.addresses.eip155
  return { origin, chain, account, protecting: open.single ? open.protecting : undefined }
}
