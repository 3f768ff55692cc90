import type { SmartSession } from '@latchkey/core/permissions'
import { Button, Group, Live, Notice, Screen, Segmented, Skeleton, Stack, Text, useCss } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useSessionText } from '../../i18n/useSessionText.ts'
import type { ViewProps } from '../../modal/viewProps.ts'
import { Gist, Limits } from './Limits.tsx'
import css from './sessions.css?inline'
import { dayText, monthText } from './time.ts'
import { useSessionList } from './useSessionList.ts'

const tabs = ['active', 'expired', 'revoked'] as const
type Tab = (typeof tabs)[number]

/** What this page may do without asking, what has run out, and what was taken back. */
export function SmartSessionList(_: ViewProps<'SmartSessionList'>): ReactNode {
  useCss(css)
  const text = useSessionText()
  const { run, sessions, deeds, again } = useSessionList()
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
      <Segmented
        label={text('sessions.tabs')}
        tabs={tabs.map((key) => ({ key, label: text(`sessions.${key}`) }))}
        value={tab}
        onChange={setTab}
      >
        <Stack gap={12}>
          {run.status === 'waiting' && (
            <>
              <Skeleton kind="row" count={2} />
              <Live>{text('modal.loading')}</Live>
            </>
          )}
          {run.status === 'failed' && (
            <Notice kind="error" action={{ label: text('common.retry'), onClick: again }}>
              {text('sessions.failed')}
            </Notice>
          )}
          {run.status === 'done' && shown.length === 0 && <Text tone="soft">{text(empty[tab])}</Text>}
          {run.status === 'done' &&
            byMonth(shown, text.locale).map(([month, ones]) => (
              <Group key={month} label={month}>
                {ones.map((session) => (
                  <One
                    key={session.context}
                    session={session}
                    open={shown.length === 1}
                    revoke={deeds.revoke}
                    again={again}
                  />
                ))}
              </Group>
            ))}
        </Stack>
      </Segmented>
      <Notice kind="info">{text('sessions.kept')}</Notice>
    </Screen>
  )
}

function One({
  session,
  open,
  revoke,
  again,
}: {
  readonly session: SmartSession
  /** The only one needs no second look. */
  readonly open: boolean
  readonly revoke: (context: string) => Promise<void>
  readonly again: () => void
}): ReactNode {
  const latchkey = useLatchkey()
  const text = useSessionText()
  const [busy, setBusy] = useState(false)
  const take = async (): Promise<void> => {
    setBusy(true)
    try {
      await revoke(session.context)
      again()
    } catch {
      latchkey.toast('error', text('sessions.revokeFailed'))
    }
    setBusy(false)
  }
  return (
    <details className="session" open={open}>
      <summary>
        <span className="session-gist">
          <Gist session={session} />
        </span>
        <span className="session-date">{dayText(session.createdAt, text.locale)}</span>
      </summary>
      <div className="session-body">
        <Limits session={session} />
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
    const month = monthText(session.createdAt, locale)
    months.set(month, [...(months.get(month) ?? []), session])
  }
  return [...months]
}
