import { Button, Icon, moreIcons, Screen, useStyleSheet } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { ProgressStatus } from '../ProgressStatus.tsx'
import type { ViewProps } from '../viewProps.ts'
import css from './login.css?inline'
import { useLoginTranslations } from './useLoginTranslations.ts'

/**
 * Renders the view behind the wallet's own dialog. It never shows any details of the request, because this page must not be able
 * to influence what the user approves.
 */
export function ApproveTransaction(_: ViewProps<'ApproveTransaction'>): ReactNode {
  useStyleSheet(css)
  const latchkey = useLatchkey()
  const text = useLoginTranslations()
  return (
    <Screen title={text('approve.title')} align="center">
      <ProgressStatus
        state="waiting"
        logo={
          <span className="mark">
            <Icon name={moreIcons.shield} size={24} />
          </span>
        }
        title={text('approve.wait')}
        body={text('approve.body')}
      />
      <Button wide onClick={() => latchkey.modal.close({ force: true })}>
        {text('approve.cancel')}
      </Button>
    </Screen>
  )
}
