import { Notice } from '@latchkey/ui'
import type { ReactNode } from 'react'
import type { Wallet } from '../wallet.ts'
import type { WalletState } from '../walletState.ts'

/** A notice that is shown while the relay is unreachable or rejects the connection. */
export function RelayNotice({ state, wallet }: { readonly state: WalletState; readonly wallet: Wallet }): ReactNode {
  const { relay, relayError } = state
  if (relay === 'refused')
    return (
      <Notice kind="error" title="The relay rejected this wallet">
        {relayError?.message ?? 'It gave no reason.'}
      </Notice>
    )
  if (relay !== 'connecting') return null
  return (
    <Notice kind="warning" title="Connecting to the relay" action={{ label: 'Try now', onClick: () => wallet.wake() }}>
      Pages cannot reach this wallet until then. Nothing is lost: requests arrive later.
    </Notice>
  )
}
