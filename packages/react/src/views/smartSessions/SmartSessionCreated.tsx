import { Button, Icon, Notice, Screen, Skeleton, Stack, Text, useStyleSheet } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import type { ViewProps } from '../viewProps.ts'
import { formatDateTime } from './formatTime.ts'
import { PermissionDetails } from './PermissionDetails.tsx'
import css from './smartSessions.css?inline'
import { useSmartSessionList } from './useSmartSessionList.ts'
import { useSmartSessionTranslations } from './useSmartSessionTranslations.ts'

// Size budget: 5 kB, because of the descriptions of all limits, the address formatting and the parsing of the response.

/** Renders a confirmation that a session was granted, with the limits that the wallet reports. */
export function SmartSessionCreated({ data }: ViewProps<'SmartSessionCreated'>): ReactNode {
  useStyleSheet(css)
  const latchkey = useLatchkey()
  const text = useSmartSessionTranslations()
  const { state: task, sessions, reload } = useSmartSessionList()
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
      {session && <Text>{text('sessions.createdBody', { date: formatDateTime(session.expiry, text.locale) })}</Text>}
      {task.status === 'waiting' && <Skeleton kind="row" count={3} />}
      {task.status === 'failed' && (
        <Notice kind="error" action={{ label: text('common.retry'), onClick: reload }}>
          {text('sessions.failed')}
        </Notice>
      )}
      {session && <PermissionDetails session={session} />}
      <Text tone="soft">{text('sessions.kept')}</Text>
    </Screen>
  )
}
