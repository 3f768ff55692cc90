import { Button, Notice, Stack, Text } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import { ApprovalButtons } from '../screens/ApprovalButtons.tsx'
import { Facts, Sheet } from '../screens/parts.tsx'
import { timeOf } from '../screens/times.ts'
import { say, type Word } from '../screens/words.ts'
import type { Arrival } from './arrival.ts'
import { ForeignNotice } from './ForeignNotice.tsx'
import { nameOf } from './Home.tsx'
import type { KeyRow } from './keysOf.ts'
import type { Inside } from './pageContext.ts'
import { pageSentence } from './pageSentence.ts'

const consequences: Readonly<Record<KeyRow['kind'], Word>> = {
  device: 'removeDevice',
  passkey: 'removePasskey',
  kit: 'removeKit',
  assisted: 'removeKit',
}

/**
 * One key: what it is, when it was used, and how it goes. A page that has its visitor press again and again removes nothing: the owner has
 * come here by themselves, proves anew who is here, and says yes twice.
 */
export function KeyView({
  desk,
  opened,
  row,
  last,
  proven,
  arrival,
  onProve,
  onBack,
  onOut,
}: Inside & {
  readonly row: KeyRow
  readonly last: boolean
  /** Who is here was proven anew, to remove this key. */
  readonly proven: boolean
  readonly arrival: Arrival
  readonly onProve: () => void
  readonly onBack: (note?: string) => void
  readonly onOut: (note?: string) => void
}): ReactNode {
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
  const mayRemove = !last && arrival !== 'page'
  return (
    <Sheet
      title={nameOf(row)}
      footer={
        mayRemove && proven ? (
          <ApprovalButtons yes="removeSure" risk="high" doing={busy} onYes={remove} onNo={() => onBack()} />
        ) : (
          <Button wide onClick={() => onBack()}>
            {say('back')}
          </Button>
        )
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
      {last && <Notice kind="info">{say('removeLast')}</Notice>}
      {!last && arrival === 'page' && <ForeignNotice />}
      {mayRemove && (
        <Stack>
          <Text>{say(row.isThis ? 'removeThis' : consequences[row.kind])}</Text>
          {!proven && (
            <Button kind="danger" wide onClick={onProve}>
              {say('removeIt')}
            </Button>
          )}
        </Stack>
      )}
    </Sheet>
  )
}
