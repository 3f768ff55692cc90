import { isLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { Button, Icon, moreIcons, Screen, useStyleSheet } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { ProgressStatus } from '../ProgressStatus.tsx'
import { useAsyncTask } from '../useAsyncTask.ts'
import type { ViewProps } from '../viewProps.ts'
import css from './login.css?inline'
import { translateLoginError } from './translateLoginError.ts'
import { useBackupTranslations } from './useBackupTranslations.ts'
import { isFrameSlow, useLogin } from './useLogin.ts'
import { useLoginTranslations } from './useLoginTranslations.ts'

/** Renders the view behind the wallet's passkey window. Going back cancels the request. */
export function ConnectingPasskey(_: ViewProps<'ConnectingPasskey'>): ReactNode {
  useStyleSheet(css)
  const latchkey = useLatchkey()
  const text = useLoginTranslations()
  const keyText = useBackupTranslations()
  const now = useLogin()
  const { login, loadFailed } = now
  const { state: task, retry } = useAsyncTask(
    async (signal) => {
      await login?.passkey(signal).catch((error: unknown) => {
        // If the user closes the window or declines, the modal returns to the connection methods.
        if (signal.aborted) return
        if (isLatchkeyError(error, 'user/rejected') || isLatchkeyError(error, 'frame/aborted')) latchkey.modal.back()
        else throw error
      })
    },
    { disabled: !login },
  )
  const failed = loadFailed || task.status === 'failed'
  const none = task.status === 'failed' && isLatchkeyError(task.error, 'frame/no-passkeys')
  const mark = (
    <span className="mark">
      <Icon name={moreIcons.key} size={24} />
    </span>
  )
  return (
    <Screen title={text('passkey.title')} align="center">
      <ProgressStatus
        state={failed ? 'failed' : 'waiting'}
        logo={mark}
        title={keyText(failed ? 'passkey.failed' : 'passkey.waiting')}
        body={
          task.status === 'failed'
            ? none
              ? keyText('passkey.none')
              : translateLoginError(text, task.error)
            : loadFailed
              ? text('login.loadFailed')
              : isFrameSlow(now)
                ? text('login.unreachable')
                : keyText('passkey.body')
        }
      />
      {failed && !none && (
        <Button kind="primary" wide icon="retry" onClick={retry}>
          {text('common.retry')}
        </Button>
      )}
    </Screen>
  )
}
