import { Button, Icon, Screen, Stack, Text, useCss, WaitRing } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useLoginText } from '../../i18n/useLoginText.ts'
import type { ViewProps } from '../../modal/viewProps.ts'
import css from './login.css?inline'

/**
 * What lies behind the wallet's own dialog. The question itself is never drawn here: this page must not be able to say anything
 * about it, true or not.
 */
export function ApproveTransaction(_: ViewProps<'ApproveTransaction'>): ReactNode {
  useCss(css)
  const latchkey = useLatchkey()
  const text = useLoginText()
  return (
    <Screen title={text('approve.title')} align="center">
      <WaitRing state="waiting">
        <span className="mark">
          <Icon name="shield" size={24} />
        </span>
      </WaitRing>
      <div role="status">
        <Stack gap={4} align="center">
          <Text kind="row">{text('approve.wait')}</Text>
          <Text tone="soft">{text('approve.body')}</Text>
        </Stack>
      </div>
      <Button wide onClick={() => latchkey.modal.close({ force: true })}>
        {text('approve.cancel')}
      </Button>
    </Screen>
  )
}
