import { Notice } from '@latchkey/ui'
import type { ReactNode } from 'react'
import type { PendingConnect } from '../requestQueue.ts'
import { describeMethods } from '../supportedMethods.ts'
import type { Wallet } from '../wallet.ts'
import type { WalletState } from '../walletState.ts'
import { AccountChoice } from './AccountChoice.tsx'
import { BulletList, Disclosure, OriginWarning, Requester, TextBox } from './sharedComponents.tsx'

/** Renders a connection request: the page, the access that it would get, and the account that it would see. */
export function ConnectRequestBody({
  wallet,
  state,
  question: { from, grant, verdict },
}: {
  readonly wallet: Wallet
  readonly state: WalletState
  readonly question: PendingConnect
}): ReactNode {
  if ('refused' in grant)
    return (
      <>
        <Requester from={from} wants="wants to connect" />
        <Notice kind="warning" title="This wallet does not support what the page needs">
          {grant.because}
        </Notice>
      </>
    )
  const { networks, methods, without } = grant
  const missing = [...without.chains, ...without.methods]
  return (
    <>
      <OriginWarning verdict={verdict} />
      <Requester from={from} wants="wants to connect" verdict={verdict} />
      <AccountChoice label="The page will see" wallet={wallet} state={state} />
      <BulletList label="The page can" points={describeMethods(methods)} />
      <BulletList label="On" points={networks.map(({ name }) => name)} />
      {missing.length > 0 && (
        <Disclosure label={`Not supported and not granted: ${missing.length}`}>
          <TextBox name="Not granted" text={missing.join('\n')} code />
        </Disclosure>
      )}
    </>
  )
}
