import { Notice } from '@latchkey/ui'
import type { ReactNode } from 'react'
import type { Ask } from '../networks.ts'
import type { Question } from '../question.ts'
import type { WalletState } from '../wallet.ts'
import { ConnectQuestionBody } from './ConnectQuestionBody.tsx'
import { Decide, Expires, Facts, Page } from './parts.tsx'
import { RequestBody, titleOf } from './RequestBody.tsx'
import { SignInBody } from './SignInBody.tsx'
import type { ScreenContext } from './screenContext.ts'

/** What waits for an answer, one at a time. */
export function QuestionPage(
  props: ScreenContext & { readonly state: WalletState; readonly question: Question; readonly ask: Ask },
): ReactNode {
  const { wallet, question, state, ask } = props
  const { key, expiresAt } = question
  const isDoing = question.state.at === 'doing'
  const failed = question.state.at === 'failed' ? question.state.because : undefined
  const behind = state.questions.length - 1
  const isDone = question.kind === 'request' && question.done !== undefined
  const { title, yes, isDanger } = wordsOf(question)
  return (
    <Page
      title={title}
      footer={
        <Decide
          key={key}
          yes={isDone ? 'Tell the page again' : failed ? 'Try again' : yes}
          no={isDone ? 'Leave it' : yes ? 'Reject' : 'Tell the page'}
          isDoing={isDoing}
          isDanger={isDanger && !isDone}
          onYes={() => void wallet.approve(key)}
          onNo={() => void wallet.reject(key)}
        />
      }
    >
      {failed && (
        <Notice kind="error" title={isDone ? 'It is done, but not told' : 'It did not work'}>
          {failed}
        </Notice>
      )}
      {question.kind === 'connect' && <ConnectQuestionBody wallet={wallet} state={state} question={question} />}
      {question.kind === 'signIn' && <SignInBody wallet={wallet} state={state} question={question} />}
      {question.kind === 'request' && <RequestBody question={question} ask={ask} />}
      <Facts
        facts={[
          { name: 'The page waits for', value: <Expires at={expiresAt} /> },
          behind > 0 ? { name: 'Waiting behind this', value: String(behind) } : undefined,
        ]}
      />
    </Page>
  )
}

/** A yes to a page that somebody warns of. */
function isWarned({ verdict }: Question): boolean {
  return verdict === 'invalid' || verdict === 'scam'
}

function wordsOf(question: Question): {
  readonly title: string
  readonly yes: string | undefined
  readonly isDanger: boolean
} {
  switch (question.kind) {
    case 'connect': {
      const yes = 'refused' in question.grant ? undefined : 'Connect'
      const isDanger = isWarned(question)
      return {
        title: yes ? 'Connect?' : 'Cannot connect',
        yes: yes && isDanger ? 'Connect anyway' : yes,
        isDanger,
      }
    }
    case 'signIn': {
      const isDanger = question.texts.mismatch !== undefined || isWarned(question)
      return { title: 'Sign in?', yes: isDanger ? 'Sign in anyway' : 'Sign in', isDanger }
    }
    case 'request': {
      const isDanger = isWarned(question)
      const { title, yes } = titleOf(question.task)
      return { title, yes: isDanger ? `${yes} anyway` : yes, isDanger }
    }
  }
}
