import { Button, Icon, Notice, Screen, Skeleton, Stack, Text, useCss } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useSessionText } from '../../i18n/useSessionText.ts'
import type { ViewProps } from '../../modal/viewProps.ts'
import { Limits } from './Limits.tsx'
import css from './sessions.css?inline'
import { dayText } from './time.ts'
import { useSessionList } from './useSessionList.ts'

/** The visitor has agreed: what this page may do from now on, as the wallet tells it. */
export function SmartSessionCreated({ data }: ViewProps<'SmartSessionCreated'>): ReactNode {
  useCss(css)
  const latchkey = useLatchkey()
  const text = useSessionText()
  const { run, sessions, again } = useSessionList()
  const session = sessions.find(({ context }) => context === data.context)
  return (
    <Screen
      title={text('sessions.created')}
      align="center"
      footer={
        <Stack gap={8}>
          <Button kind="primary" wide onClick={() => void latchkey.modal.close()}>
            {text('sessions.done')}
          </Button>
          <Button wide onClick={() => latchkey.modal.push('SmartSessionList')}>
            {text('sessions.all')}
          </Button>
        </Stack>
      }
    >
      <span className="session-mark">
        <Icon name="check" size={24} />
      </span>
      {session && <Text>{text('sessions.createdBody', { date: dayText(session.expiry, text.locale) })}</Text>}
      {run.status === 'waiting' && <Skeleton kind="row" count={3} />}
      {run.status === 'failed' && (
        <Notice kind="error" action={{ label: text('common.retry'), onClick: again }}>
          {text('sessions.failed')}
        </Notice>
      )}
      {session && <Limits session={session} />}
      <Text tone="soft">{text('sessions.kept')}</Text>
    </Screen>
  )
}
