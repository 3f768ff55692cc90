import type { VaultTransfer } from '@latchkey/protocol/http/vault'
import { Address, Button, Group, LiveRegion, Notice, Row, Skeleton, Stack, Text } from '@latchkey/ui'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { getProtection } from '../keys/index.ts'
import { Facts, Sheet } from '../screens/parts.tsx'
import { timeOf } from '../screens/times.ts'
import { say } from '../screens/words.ts'
import { isVaultFailure } from '../vaultClient.ts'
import { type KeyRow, mayRemove } from './keysOf.ts'
import type { Inside, View } from './pageContext.ts'
import { pageSentence } from './pageSentence.ts'
import { useRequests } from './useRequests.ts'

/** What opens the wallet, who asks to be let in, and what can be done about it. */
export function Home({
  desk,
  me,
  opened,
  note,
  go,
  onOut,
}: Inside & {
  readonly note: string | undefined
  readonly go: (view: View) => void
  readonly onOut: (note?: string) => void
}): ReactNode {
  const [rows, setRows] = useState<readonly KeyRow[]>()
  const [failed, setFailed] = useState<string>()
  const [attempt, setAttempt] = useState(1)
  const [leaving, setLeaving] = useState(false)
  // What another device has changed shows here as well.
  const requests = useRequests(desk, () => setAttempt((now) => now + 1))
  const out = useRef(onOut)
  useEffect(() => {
    out.current = onOut
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` is what looks again
  useEffect(() => {
    let left = false
    desk.keys(opened).then(
      (found) => {
        if (left) return
        setRows(found)
        setFailed(undefined)
      },
      (error: unknown) => {
        if (left) return
        // Signed out from another page or device.
        if (isVaultFailure(error, 'session/none')) out.current()
        else setFailed(pageSentence(error))
      },
    )
    return () => {
      left = true
    }
  }, [desk, opened, attempt])

  const leave = (): void => {
    setLeaving(true)
    desk
      .signOut()
      .then(() => onOut(say('pageLeft')))
      .catch((error: unknown) => setFailed(pageSentence(error)))
      .finally(() => setLeaving(false))
  }
  const { record } = opened.vault
  return (
    <Sheet title={say('pageTitle')} footer={null}>
      {note !== undefined && <Notice kind="info">{note}</Notice>}
      <Facts
        facts={[
          me.user.email === null ? undefined : { name: say('email'), value: me.user.email },
          { name: say('account'), value: <Address address={record.addresses.eip155} whole /> },
        ]}
      />
      <Requests requests={requests} go={go} />
      {getProtection(record).state === 'single' && <Notice kind="warning">{say('pageSingle')}</Notice>}
      {failed !== undefined && (
        <Notice kind="error" action={{ label: say('retry'), onClick: () => setAttempt((now) => now + 1) }}>
          {failed}
        </Notice>
      )}
      {rows === undefined ? (
        failed === undefined && <Skeleton kind="row" />
      ) : (
        <Part label={say('pageKeys')}>
          {rows.map((row) => (
            <Row
              key={row.id}
              icon={row.kind === 'device' ? 'desktop' : row.kind === 'passkey' ? 'shield' : 'key'}
              detail={detailOf(row)}
              tag={tagOf(row)}
              trailing="chevron"
              onClick={() => go({ name: 'key', row, last: !mayRemove(rows, row) })}
            >
              {nameOf(row)}
            </Row>
          ))}
          <Row key="add" icon="plus" trailing="chevron" onClick={() => go({ name: 'protect' })}>
            {say('pageAdd')}
          </Row>
        </Part>
      )}
      <Part label={say('pageMore')}>
        <Row icon="info" trailing="chevron" onClick={() => go({ name: 'audit' })}>
          {say('auditTitle')}
        </Row>
        <Row
          icon="warning"
          detail={say('exportRow')}
          trailing="chevron"
          onClick={() => go({ name: 'prove', next: { name: 'export' } })}
        >
          {say('exportTitle')}
        </Row>
      </Part>
      <Stack gap={8}>
        <a className="button" data-kind="secondary" data-wide download="recovery.html" href="/recovery.html">
          <span>{say('pageRecovery')}</span>
        </a>
        <Text tone="soft">{say('pageRecoveryText')}</Text>
      </Stack>
      <Stack gap={8}>
        <Button wide busy={leaving} onClick={leave}>
          {say('pageSignOut')}
        </Button>
        <Button wide kind="danger" disabled={leaving} onClick={() => go({ name: 'leaveEverywhere' })}>
          {say('pageSignOutEverywhere')}
        </Button>
      </Stack>
    </Sheet>
  )
}

function Requests({
  requests,
  go,
}: {
  readonly requests: readonly VaultTransfer[]
  readonly go: (view: View) => void
}): ReactNode {
  return (
    <>
      <LiveRegion>{requests.length > 0 ? say('requestsNew', { count: requests.length }) : ''}</LiveRegion>
      {requests.length > 0 && (
        <Part label={say('requestsTitle')}>
          {requests.map((transfer) => (
            <Row
              key={transfer.id}
              icon="phone"
              detail={timeOf(transfer.createdAt)}
              tag={transfer.offer === null ? undefined : { text: say('requestTaken') }}
              trailing="chevron"
              onClick={() => go({ name: 'request', transfer })}
            >
              {transfer.name}
            </Row>
          ))}
        </Part>
      )}
    </>
  )
}

/** Rows under a heading of this page. */
function Part({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactNode {
  return (
    <section>
      <h2 className="section">{label}</h2>
      <Group name={label}>{children}</Group>
    </section>
  )
}

/** What a key is called. */
export function nameOf({ kind, name }: KeyRow): string {
  return kind === 'kit' ? say('protectKit') : kind === 'passkey' ? say('keyPasskey', { name }) : name
}

function detailOf({ createdAt, lastUsedAt }: KeyRow): string {
  return lastUsedAt === undefined
    ? say('keyMade', { time: timeOf(createdAt) })
    : say('keyUsed', { time: timeOf(lastUsedAt) })
}

function tagOf({ state, isThis }: KeyRow): { text: string; tone?: 'warning' | 'neutral' } | undefined {
  if (state === 'dead') return { text: say('keyDead'), tone: 'warning' }
  if (state === 'signs-in') return { text: say('keySignsIn'), tone: 'warning' }
  return isThis ? { text: say('keyThis') } : undefined
}
