import type { AuditEntry } from '@latchkey/protocol/http/vault'
import { Button, Notice, Skeleton, Text } from '@latchkey/ui'
import { type ReactNode, useEffect, useState } from 'react'
import { Sheet } from '../screens/parts.tsx'
import { timeOf } from '../screens/times.ts'
import { say } from '../screens/words.ts'
import { auditSentence, isWarning } from './auditSentence.ts'
import type { Desk } from './desk.ts'
import { pageSentence } from './pageSentence.ts'

/** What happened to the account, in sentences, the newest first. */
export function AuditView({ desk, onBack }: { readonly desk: Desk; readonly onBack: () => void }): ReactNode {
  const [entries, setEntries] = useState<readonly AuditEntry[]>()
  const [failed, setFailed] = useState<string>()
  const [attempt, setAttempt] = useState(1)

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` is what asks again
  useEffect(() => {
    let left = false
    setFailed(undefined)
    desk.audit().then(
      (found) => {
        if (!left) setEntries(found)
      },
      (error: unknown) => {
        if (!left) setFailed(pageSentence(error))
      },
    )
    return () => {
      left = true
    }
  }, [desk, attempt])

  return (
    <Sheet
      title={say('auditTitle')}
      footer={
        <Button wide onClick={onBack}>
          {say('back')}
        </Button>
      }
    >
      <Text tone="soft">{say('auditText')}</Text>
      {failed !== undefined && (
        <Notice kind="error" action={{ label: say('retry'), onClick: () => setAttempt((now) => now + 1) }}>
          {failed}
        </Notice>
      )}
      {entries === undefined ? (
        failed === undefined && <Skeleton kind="row" />
      ) : (
        <ol className="events">
          {entries.map((entry, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the trail stands as it was read
            <li key={at} data-tone={isWarning(entry) ? 'danger' : undefined}>
              <b>{auditSentence(entry)}</b>
              <small>
                <time dateTime={new Date(entry.at).toISOString()}>{timeOf(entry.at)}</time>
                {entry.place !== null && ` · ${entry.place}`}
              </small>
            </li>
          ))}
        </ol>
      )}
    </Sheet>
  )
}
