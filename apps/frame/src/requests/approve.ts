import { beginning } from '../continueWindow/beginning.ts'
import type { House } from '../house.ts'
import { grantPermissions, revokePermissions } from '../permissions/requests.ts'
import { Refusal } from '../refusal.ts'
import { namespaceOf } from '../settings.ts'
import type { RpcAsked } from './asked.ts'
import { sendCalls } from './sendCalls.ts'
import { sendTransaction } from './sendTransaction.ts'
import { signMessage } from './signMessage.ts'
import { signTypedData } from './signTypedData.ts'
import { solana } from './solana.ts'

/** Answers a request after the visitor has said yes on a screen of ours. */
export async function approve(within: House, asked: RpcAsked): Promise<unknown> {
  const wallet = await within.wallet()
  const me = await within.session.me()
  if (!me) throw new Refusal('Not signed in')
  const open = await wallet.open(me)
  const begin = async (): Promise<void> => {
    // It may have ended elsewhere while this was on screen. A server that cannot be asked ends nothing.
    const now = await within.session.me().catch(() => me)
    if (now?.user.id !== me.user.id) throw new Refusal('Not signed in')
  }
  const house: House = { ...within, approvals: beginning(within.approvals, { begin }) }
  if (namespaceOf(asked.chain) === 'eip155') {
    if (asked.method === 'personal_sign') return signMessage(house, open, asked)
    if (asked.method === 'eth_signTypedData_v4') return signTypedData(house, open, asked)
    if (asked.method === 'eth_sendTransaction') return sendTransaction(house, open, asked)
    if (asked.method === 'wallet_sendCalls') return sendCalls(house, open, asked)
    if (asked.method === 'wallet_grantPermissions') return grantPermissions(house, open, asked)
    if (asked.method === 'wallet_revokePermissions') return revokePermissions(house, open, asked)
  } else if (asked.method.startsWith('solana_')) return solana(house, open, asked)
  throw new Refusal(`${asked.method} is not supported on this network`)
}
