import { Notice, Text } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { escapeInvisible } from '../decodeMessageText.ts'
import type { PendingSignIn } from '../requestQueue.ts'
import { describeMethods } from '../supportedMethods.ts'
import type { Wallet } from '../wallet.ts'
import type { WalletState } from '../walletState.ts'
import { AccountChoice } from './AccountChoice.tsx'
import { BulletList, Disclosure, OriginWarning, Requester, TextBox } from './sharedComponents.tsx'

/** Renders a sign-in request: the site that the user signs in to, and the full message. */
export function SignInRequestBody({
  wallet,
  state,
  question: { from, texts, verdict },
}: {
  readonly wallet: Wallet
  readonly state: WalletState
  readonly question: PendingSignIn
}): ReactNode {
  const [first, ...others] = texts.texts
  const { mismatch, methods } = texts
  return (
    <>
      {mismatch && (
        <Notice kind="error" title="This signs you in somewhere else">
          The page calls itself {escapeInvisible(mismatch.page)}, and the message is for{' '}
          {escapeInvisible(mismatch.claims)}. Anyone who receives it can sign in there as you. Reject it unless you know
          why.
        </Notice>
      )}
      <OriginWarning verdict={verdict} />
      <Requester from={from} wants="wants you to sign in" verdict={verdict} />
      {first && <TextBox name="What you sign" text={escapeInvisible(first.message)} />}
      {others.length > 0 && (
        <Disclosure label={`Same for ${others.map(({ network }) => network.name).join(', ')}`}>
          {others.map(({ network, message }) => (
            <TextBox key={network.id} name={`What you sign for ${network.name}`} text={escapeInvisible(message)} />
          ))}
        </Disclosure>
      )}
      <AccountChoice label="As" wallet={wallet} state={state} />
      {methods.length > 0 ? (
        <BulletList label="It is also connected and can" points={describeMethods(methods)} />
      ) : (
        <Text tone="soft">It is signed in but not connected, so it cannot send other requests.</Text>
      )}
    </>
  )
}
