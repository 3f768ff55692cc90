import { Notice } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { inWords } from '../methods.ts'
import type { ConnectQuestion } from '../question.ts'
import type { Wallet, WalletState } from '../wallet.ts'
import { AccountChoice } from './AccountChoice.tsx'
import { Fold, From, Points, TextBox, Warned } from './parts.tsx'

/** A page that wants to connect: who it is, what it would get, and from which account. */
export function ConnectQuestionBody({
  wallet,
  state,
  question: { from, grant, verdict },
}: {
  readonly wallet: Wallet
  readonly state: WalletState
  readonly question: ConnectQuestion
}): ReactNode {
  if ('refused' in grant)
    return (
      <>
        <From from={from} wants="wants to connect" />
        <Notice kind="warning" title="This wallet is not what it needs">
          {grant.because}
        </Notice>
      </>
    )
  const { networks, methods, without } = grant
  const missing = [...without.chains, ...without.methods]
  return (
    <>
      <Warned verdict={verdict} />
      <From from={from} wants="wants to connect" verdict={verdict} />
      <AccountChoice label="It would see" wallet={wallet} state={state} />
      <Points label="It could" points={inWords(methods)} />
      <Points label="On" points={networks.map(({ name }) => name)} />
      {missing.length > 0 && (
        <Fold label={`What this wallet cannot do, and does not give: ${missing.length}`}>
          <TextBox name="Not given" text={missing.join('\n')} code />
        </Fold>
      )}
    </>
  )
}
