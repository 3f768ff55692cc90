import type { SmartSession } from '@latchkey/core/permissions'
import {
  Button,
  Group,
  LiveRegion,
  Notice,
  Screen,
  SegmentedControl,
  Skeleton,
  Stack,
  Text,
  useStyleSheet,
} from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import type { ViewProps } from '../viewProps.ts'
import { formatDateTime, formatMonth } from './formatTime.ts'
import { PermissionDetails, PermissionSummary } from './PermissionDetails.tsx'
import css from './smartSessions.css?inline'
import { useSmartSessionList } from './useSmartSessionList.ts'
import { useSmartSessionTranslations } from './useSmartSessionTranslations.ts'

// Size budget: 6.5 kB, for the same reasons as SmartSessionCreated, and because of the tabs.

const tabs = ['active', 'expired', 'revoked'] as const
type Tab = (typeof tabs)[number]

/** Renders this page's active, expired and revoked sessions. */
export function SmartSessionList(_: ViewProps<'SmartSessionList'>): ReactNode {
  useStyleSheet(css)
  const text = useSmartSessionTranslations()
  const { state: task, sessions, actions, reload } = useSmartSessionList()
  const [tab, setTab] = useState<Tab>('active')
  const empty = {
    active: 'sessions.noneActive',
    expired: 'sessions.noneExpired',
    revoked: 'sessions.noneRevoked',
  } as const
  const shown = sessions.filter(({ state }) => state === tab)
  return (
    <Screen title={text('sessions.title')}>
      <div className="sessions-intro">
        <span className="tag" data-tone="accent">
          {text('sessions.beta')}
        </span>
        <Text tone="soft">{text('sessions.intro')}</Text>
      </div>
      <SegmentedControl
        label={text('sessions.tabs')}
        tabs={tabs.map((key) => ({ key, label: text(`sessions.${key}`) }))}
        value={tab}
        onChange={setTab}
      >
        <Stack gap={12}>
          {task.status === 'waiting' && (
            <>
              <Skeleton kind="row" count={2} />
              <LiveRegion>{text('modal.loading')}</LiveRegion>
            </>
          )}
          {task.status === 'failed' && (
            <Notice kind="error" action={{ label: text('common.retry'), onClick: reload }}>
              {text('sessions.failed')}
            </Notice>
          )}
          {task.status === 'done' && shown.length === 0 && <Text tone="soft">{text(empty[tab])}</Text>}
          {task.status === 'done' &&
            byMonth(shown, text.locale).map(([month, ones]) => (
              <Group key={month} label={month}>
                {ones.map((session) => (
                  <One
                    key={session.context}
                    session={session}
                    open={shown.length === 1}
                    revoke={actions.revoke}
                    again={reload}
                  />
                ))}
              </Group>
            ))}
        </Stack>
      </SegmentedControl>
      <Notice kind="info">{text('sessions.kept')}</Notice>
    </Screen>
  )
}

function One({
  session,
  open,
  revoke,
  again: reload,
}: {
  readonly session: SmartSession
  /** Whether the session is initially expanded. */
  readonly open: boolean
  readonly revoke: (context: string) => Promise<void>
  readonly again: () => void
}): ReactNode {
  const latchkey = useLatchkey()
  const text = useSmartSessionTranslations()
  const [busy, setBusy] = useState(false)
  const take = async (): Promise<void> => {
    setBusy(true)
    try {
      await revoke(session.context)
      reload()
    } catch {
      latchkey.toast('error', text('sessions.revokeFailed'))
    }
    setBusy(false)
  }
  return (
    <details className="session" open={open}>
      <summary>
        <span className="session-gist">
          <PermissionSummary session={session} />
        </span>
        <span className="session-date">{formatDateTime(session.createdAt, text.locale)}</span>
      </summary>
      <div className="session-body">
        <PermissionDetails session={session} />
        {session.state === 'active' && (
          <Button wide busy={busy} onClick={() => void take()}>
            {text(busy ? 'sessions.revoking' : 'sessions.revoke')}
          </Button>
        )}
      </div>
    </details>
  )
}

function byMonth(
  sessions: readonly SmartSession[],
  locale: string,
): readonly (readonly [month: string, sessions: readonly SmartSession[]])[] {
  const months = new Map<string, SmartSession[]>()
  for (const session of [...sessions].sort((a, b) => b.createdAt - a.createdAt)) {
    const month = formatMonth(session.createdAt, locale)
    months.set(month, [...(months.get(month) ?? []), session])
  }
  return [...months]
}
