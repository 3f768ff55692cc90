import { isLatchkeyError } from '@latchkey/protocol/errors'
import { Button, Icon, Screen, useCss } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useKeyText } from '../../i18n/useKeyText.ts'
import { useLoginText } from '../../i18n/useLoginText.ts'
import type { ViewProps } from '../../modal/viewProps.ts'
import { useRun } from '../useRun.ts'
import { Waiting } from '../Waiting.tsx'
import css from './login.css?inline'
import { loginReason } from './loginReason.ts'
import { isFrameLate, useLogin } from './useLogin.ts'

/** The wallet's own window asks for a passkey; this stands behind it. Going back takes it back, and so does a no there. */
export function ConnectingPasskey(_: ViewProps<'ConnectingPasskey'>): ReactNode {
  useCss(css)
  const latchkey = useLatchkey()
  const text = useLoginText()
  const keyText = useKeyText()
  const now = useLogin()
  const { login, lost } = now
  const { run, again } = useRun(
    async (signal) => {
      await login?.passkey(signal).catch((error: unknown) => {
        // Put away, or declined: the visitor chose another way, and is back where the ways are.
        if (signal.aborted) return
        if (isLatchkeyError(error, 'user/rejected') || isLatchkeyError(error, 'frame/aborted')) latchkey.modal.back()
        else throw error
      })
    },
    { off: !login },
  )
  const failed = lost || run.status === 'failed'
  const none = run.status === 'failed' && run.error.message.includes('no passkeys')
  const mark = (
    <span className="mark">
      <Icon name="key" size={24} />
    </span>
  )
  return (
    <Screen title={text('passkey.title')} align="center">
      <Waiting
        state={failed ? 'failed' : 'waiting'}
        mark={mark}
        title={keyText(failed ? 'passkey.failed' : 'passkey.waiting')}
        body={
          run.status === 'failed'
            ? none
              ? keyText('passkey.none')
              : loginReason(text, run.error)
            : lost
              ? text('login.loadFailed')
              : isFrameLate(now)
                ? text('login.unreachable')
                : keyText('passkey.body')
        }
      />
      {failed && !none && (
        <Button kind="primary" wide icon="retry" onClick={again}>
          {text('common.retry')}
        </Button>
      )}
    </Screen>
  )
}
