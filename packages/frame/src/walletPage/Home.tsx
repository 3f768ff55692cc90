import type { KeysTransfer } from '@latchkey/protocol/http/keys'
import { Address, Button, Group, LiveRegion, moreIcons, Notice, Row, Skeleton, Stack, Text } from '@latchkey/ui'
import { getProtection } from '@latchkey/vault'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { isKeysFailure } from '../keysApiClient.ts'
import { Facts, Sheet } from '../screens/approvalScreenParts.tsx'
import { formatTime } from '../screens/formatTime.ts'
import { t } from '../texts/translations.ts'
import { canRemoveKey, type KeyRow } from './listUnlockKeys.ts'
import type { WalletPageContext, WalletPageView } from './pageContext.ts'
import { pageErrorText } from './pageErrorText.ts'
import { useDeviceRequests } from './useDeviceRequests.ts'

/** Lists the wallet's keys, the devices that request access, and the available actions. */
export function Home({
  controller,
  me,
  opened,
  note,
  go,
  onOut,
}: WalletPageContext & {
  readonly note: string | undefined
  readonly go: (view: WalletPageView) => void
  readonly onOut: (note?: string) => void
}): ReactNode {
  const [rows, setRows] = useState<readonly KeyRow[]>()
  const [failed, setFailed] = useState<string>()
  const [attempt, setAttempt] = useState(1)
  const [leaving, setLeaving] = useState(false)
  // The keys are reloaded as well, so that changes made on another device are displayed.
  const requests = useDeviceRequests(controller, () => setAttempt((now) => now + 1))
  const out = useRef(onOut)
  useEffect(() => {
    out.current = onOut
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` triggers a reload
  useEffect(() => {
    let left = false
    controller.keys(opened).then(
      (found) => {
        if (left) return
        setRows(found)
        setFailed(undefined)
      },
      (error: unknown) => {
        if (left) return
        // The user was signed out on another page or device.
        if (isKeysFailure(error, 'session/none')) out.current()
        else setFailed(pageErrorText(error))
      },
    )
    return () => {
      left = true
    }
  }, [controller, opened, attempt])

  const leave = (): void => {
    setLeaving(true)
    controller
      .signOut()
      .then(() => onOut(t('pageLeft')))
      .catch((error: unknown) => setFailed(pageErrorText(error)))
      .finally(() => setLeaving(false))
  }
  const { record } = opened.vault
  return (
    <Sheet title={t('pageTitle')} footer={null}>
      {note !== undefined && <Notice kind="info">{note}</Notice>}
      <Facts
        facts={[
          me.user.email === null ? undefined : { name: t('email'), value: me.user.email },
          { name: t('account'), value: <Address address={record.addresses.eip155} whole /> },
        ]}
      />
      <DeviceRequests requests={requests} go={go} />
      {getProtection(record).state === 'single' && <Notice kind="warning">{t('pageSingle')}</Notice>}
      {failed !== undefined && (
        <Notice kind="error" action={{ label: t('retry'), onClick: () => setAttempt((now) => now + 1) }}>
          {failed}
        </Notice>
      )}
      {rows === undefined ? (
        failed === undefined && <Skeleton kind="row" />
      ) : (
        <Section label={t('pageKeys')}>
          {rows.map((row) => (
            <Row
              key={row.id}
              icon={
                row.kind === 'device' ? moreIcons.desktop : row.kind === 'passkey' ? moreIcons.shield : moreIcons.key
              }
              detail={keyDetail(row)}
              tag={keyTag(row)}
              trailing="chevron"
              onClick={() => go({ name: 'key', row, last: !canRemoveKey(rows, row) })}
            >
              {keyName(row)}
            </Row>
          ))}
          <Row key="add" icon={moreIcons.plus} trailing="chevron" onClick={() => go({ name: 'protect' })}>
            {t('pageAdd')}
          </Row>
        </Section>
      )}
      <Section label={t('pageMore')}>
        <Row icon="info" trailing="chevron" onClick={() => go({ name: 'audit' })}>
          {t('auditTitle')}
        </Row>
        <Row
          icon="warning"
          detail={t('exportRow')}
          trailing="chevron"
          onClick={() => go({ name: 'prove', next: { name: 'export' } })}
        >
          {t('exportTitle')}
        </Row>
      </Section>
      <Stack gap={8}>
        <a className="button" data-kind="secondary" data-wide download="recovery.html" href="/recovery.html">
          <span>{t('pageRecovery')}</span>
        </a>
        <Text tone="soft">{t('pageRecoveryText')}</Text>
      </Stack>
      <Stack gap={8}>
        <Button wide busy={leaving} onClick={leave}>
          {t('pageSignOut')}
        </Button>
        <Button wide kind="danger" disabled={leaving} onClick={() => go({ name: 'leaveEverywhere' })}>
          {t('pageSignOutEverywhere')}
        </Button>
      </Stack>
    </Sheet>
  )
}

function DeviceRequests({
  requests,
  go,
}: {
  readonly requests: readonly KeysTransfer[]
  readonly go: (view: WalletPageView) => void
}): ReactNode {
  return (
    <>
      <LiveRegion>{requests.length > 0 ? t('requestsNew', { count: requests.length }) : ''}</LiveRegion>
      {requests.length > 0 && (
        <Section label={t('requestsTitle')}>
          {requests.map((transfer) => (
            <Row
              key={transfer.id}
              icon={moreIcons.phone}
              detail={formatTime(transfer.createdAt)}
              tag={transfer.offer === null ? undefined : { text: t('requestTaken') }}
              trailing="chevron"
              onClick={() => go({ name: 'request', transfer })}
            >
              {transfer.name}
            </Row>
          ))}
        </Section>
      )}
    </>
  )
}

/** Renders rows under a heading. */
function Section({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactNode {
  return (
    <section>
      <h2 className="section">{label}</h2>
      <Group name={label}>{children}</Group>
    </section>
  )
}

/** Returns the display name of a key. */
export function keyName({ kind, name }: KeyRow): string {
  return kind === 'kit' ? t('protectKit') : kind === 'passkey' ? t('keyPasskey', { name }) : name
}

function keyDetail({ createdAt, lastUsedAt }: KeyRow): string {
  return lastUsedAt === undefined
    ? t('keyMade', { time: formatTime(createdAt) })
    : t('keyUsed', { time: formatTime(lastUsedAt) })
}

function keyTag({ state, isThis }: KeyRow): { text: string; tone?: 'warning' | 'neutral' } | undefined {
  if (state === 'dead') return { text: t('keyDead'), tone: 'warning' }
  if (state === 'signs-in') return { text: t('keySignsIn'), tone: 'warning' }
  return isThis ? { text: t('keyThis') } : undefined
}
