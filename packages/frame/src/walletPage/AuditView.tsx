import type { AuditEntry } from '@latchkey/protocol/http/keys'
import { Button, Notice, Skeleton, Text } from '@latchkey/ui'
import { type ReactNode, useEffect, useState } from 'react'
import { Sheet } from '../screens/approvalScreenParts.tsx'
import { formatTime } from '../screens/formatTime.ts'
import { t } from '../texts/translations.ts'
import { auditEntryText, isWarning } from './auditEntryText.ts'
import { pageErrorText } from './pageErrorText.ts'
import type { WalletPageController } from './walletPageController.ts'

/** Displays the account's audit log as sentences, newest first. */
export function AuditView({
  controller,
  onBack,
}: {
  readonly controller: WalletPageController
  readonly onBack: () => void
}): ReactNode {
  const [entries, setEntries] = useState<readonly AuditEntry[]>()
  const [failed, setFailed] = useState<string>()
  const [attempt, setAttempt] = useState(1)

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` triggers a reload
  useEffect(() => {
    let left = false
    setFailed(undefined)
    controller.audit().then(
      (found) => {
        if (!left) setEntries(found)
      },
      (error: unknown) => {
        if (!left) setFailed(pageErrorText(error))
      },
    )
    return () => {
      left = true
    }
  }, [controller, attempt])

  return (
    <Sheet
      title={t('auditTitle')}
      footer={
        <Button wide onClick={onBack}>
          {t('back')}
        </Button>
      }
    >
      <Text tone="soft">{t('auditText')}</Text>
      {failed !== undefined && (
        <Notice kind="error" action={{ label: t('retry'), onClick: () => setAttempt((now) => now + 1) }}>
          {failed}
        </Notice>
      )}
      {entries === undefined ? (
        failed === undefined && <Skeleton kind="row" />
      ) : (
        <ol className="events">
          {entries.map((entry, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the order of entries does not change
            <li key={at} data-tone={isWarning(entry) ? 'danger' : undefined}>
              <b>{auditEntryText(entry)}</b>
              <small>
                <time dateTime={new Date(entry.at).toISOString()}>{formatTime(entry.at)}</time>
                {entry.place !== null && ` · ${entry.place}`}
              </small>
            </li>
          ))}
        </ol>
      )}
    </Sheet>
  )
}
