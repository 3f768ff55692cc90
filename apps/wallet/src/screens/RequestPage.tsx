import { Notice } from '@latchkey/ui'
import type { ReactNode } from 'react'
import type { Ask } from '../networks.ts'
import type { PendingRequest } from '../requestQueue.ts'
import type { WalletState } from '../walletState.ts'
import { ConnectRequestBody } from './ConnectRequestBody.tsx'
import { MethodRequestBody, titleOf } from './MethodRequestBody.tsx'
import { SignInRequestBody } from './SignInRequestBody.tsx'
import type { ScreenContext } from './screenContext.ts'
import { ApprovalButtons, Countdown, FactList, Page } from './sharedComponents.tsx'

/** The screen for a pending request. */
export function RequestPage(
  props: ScreenContext & { readonly state: WalletState; readonly question: PendingRequest; readonly ask: Ask },
): ReactNode {
  const { wallet, question, state, ask } = props
  const { key, expiresAt } = question
  const isDoing = question.state.at === 'doing'
  const failed = question.state.at === 'failed' ? question.state.because : undefined
  const behind = state.pendingRequests.length - 1
  const isDone = question.kind === 'request' && question.done !== undefined
  const { title, yes, isDanger } = wordsOf(question)
  return (
    <Page
      title={title}
      footer={
        <ApprovalButtons
          key={key}
          yes={isDone ? 'Send again' : failed ? 'Try again' : yes}
          no={isDone ? 'Discard' : 'Reject'}
          isDoing={isDoing}
          isDanger={isDanger && !isDone}
          onYes={() => void wallet.approve(key)}
          onNo={() => void wallet.reject(key)}
        />
      }
    >
      {failed && (
        <Notice kind="error" title={isDone ? 'Done, but the page was not notified' : 'Something went wrong'}>
          {failed}
        </Notice>
      )}
      {question.kind === 'connect' && <ConnectRequestBody wallet={wallet} state={state} question={question} />}
      {question.kind === 'signIn' && <SignInRequestBody wallet={wallet} state={state} question={question} />}
      {question.kind === 'request' && <MethodRequestBody question={question} ask={ask} />}
      <FactList
        facts={[
          { name: 'Expires in', value: <Countdown at={expiresAt} /> },
          behind > 0 ? { name: 'Other pending requests', value: String(behind) } : undefined,
        ]}
      />
    </Page>
  )
}

/** Whether the verify service warns about the page. */
function isWarned({ verdict }: PendingRequest): boolean {
  return verdict === 'invalid' || verdict === 'scam'
}

function wordsOf(question: PendingRequest): {
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
      const { title, yes } = titleOf(question.call)
      return { title, yes: isDanger ? `${yes} anyway` : yes, isDanger }
    }
  }
}
