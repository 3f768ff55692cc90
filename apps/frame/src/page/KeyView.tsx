import { Button, Notice, Stack, Text } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import { Facts, Sheet } from '../screens/parts.tsx'
import { timeOf } from '../screens/times.ts'
import { say, type Word } from '../screens/words.ts'
import { nameOf } from './Home.tsx'
import type { KeyRow } from './keysOf.ts'
import type { Inside } from './Page.tsx'
import { pageSentence } from './pageSentence.ts'

const consequences: Readonly<Record<KeyRow['kind'], Word>> = {
  device: 'removeDevice',
  passkey: 'removePasskey',
  kit: 'removeKit',
  assisted: 'removeKit',
}

/** One key: what it is, when it was used, and how it goes. */
export function KeyView({
  desk,
  opened,
  row,
  last,
  onBack,
  onOut,
}: Inside & {
  readonly row: KeyRow
  readonly last: boolean
  readonly onBack: (note?: string) => void
  readonly onOut: (note?: string) => void
}): ReactNode {
  const [sure, setSure] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<string>()
  const remove = (): void => {
    setBusy(true)
    setFailed(undefined)
    desk
      .remove(opened, row)
      .then(() => (row.isThis ? onOut(say('removedThis')) : onBack(say('removed', { name: nameOf(row) }))))
      .catch((error: unknown) => {
        setBusy(false)
        setFailed(pageSentence(error))
      })
  }
  const { lastUsedAt } = row
  return (
    <Sheet
      title={nameOf(row)}
      footer={
        <Button wide onClick={() => onBack()} disabled={busy}>
          {say('back')}
        </Button>
      }
    >
      <Facts
        facts={[
          { name: say('keyAdded'), value: timeOf(row.createdAt) },
          lastUsedAt === undefined ? undefined : { name: say('keyLastUsed'), value: timeOf(lastUsedAt) },
        ]}
      />
      {row.state === 'signs-in' && <Notice kind="warning">{say('keySignsInText')}</Notice>}
      {row.state === 'dead' && <Notice kind="warning">{say('keyDeadText')}</Notice>}
      {failed !== undefined && <Notice kind="error">{failed}</Notice>}
      {last ? (
        <Notice kind="info">{say('removeLast')}</Notice>
      ) : (
        <Stack>
          <Text>{say(row.isThis ? 'removeThis' : consequences[row.kind])}</Text>
          <Button
            kind="danger"
            wide
            busy={busy}
            onClick={({ detail }) => {
              if (!sure) setSure(true)
              // The second half of a double click has not read what it says now.
              else if (detail < 2) remove()
            }}
          >
            {say(sure ? 'removeSure' : 'removeIt')}
          </Button>
        </Stack>
      )}
    </Sheet>
  )
}
