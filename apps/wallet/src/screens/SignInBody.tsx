import { Notice, Text } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { inWords } from '../methods.ts'
import type { SignInQuestion } from '../question.ts'
import { shown } from '../shown.ts'
import type { Wallet, WalletState } from '../wallet.ts'
import { AccountChoice } from './AccountChoice.tsx'
import { Fold, From, Points, TextBox, Warned } from './parts.tsx'

/** A page that wants the visitor to sign in: what is signed, word by word, and for which site it counts. */
export function SignInBody({
  wallet,
  state,
  question: { from, texts, verdict },
}: {
  readonly wallet: Wallet
  readonly state: WalletState
  readonly question: SignInQuestion
}): ReactNode {
  const [first, ...others] = texts.texts
  const { mismatch, methods } = texts
  return (
    <>
      {mismatch && (
        <Notice kind="error" title="This signs you in somewhere else">
          The page calls itself {shown(mismatch.page)}, and the message is for {shown(mismatch.claims)}. Whoever gets it
          can sign in there as you. Reject it unless you know why.
        </Notice>
      )}
      <Warned verdict={verdict} />
      <From from={from} wants="wants you to sign in" verdict={verdict} />
      {first && <TextBox name="What you sign" text={shown(first.message)} />}
      {others.length > 0 && (
        <Fold label={`The same for ${others.map(({ network }) => network.name).join(', ')}`}>
          {others.map(({ network, message }) => (
            <TextBox key={network.id} name={`What you sign for ${network.name}`} text={shown(message)} />
          ))}
        </Fold>
      )}
      <AccountChoice label="As" wallet={wallet} state={state} />
      {methods.length > 0 ? (
        <Points label="It is connected, too, and could" points={inWords(methods)} />
      ) : (
        <Text tone="soft">It is signed in, and not connected: it cannot ask for more.</Text>
      )}
    </>
  )
}
