import { Button, Notice, Text } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import { ApprovalButtons } from '../screens/ApprovalButtons.tsx'
import { Sheet } from '../screens/parts.tsx'
import { say } from '../screens/words.ts'
import type { Arrival } from './arrival.ts'
import type { Desk } from './desk.ts'
import { ForeignNotice } from './ForeignNotice.tsx'
import { pageSentence } from './pageSentence.ts'

/** Signs every device out, after two presses that no page can have somebody make. */
export function LeaveEverywhere({
  desk,
  arrival,
  onBack,
  onOut,
}: {
  readonly desk: Pick<Desk, 'signOutEverywhere'>
  readonly arrival: Arrival
  readonly onBack: () => void
  readonly onOut: (note?: string) => void
}): ReactNode {
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<string>()
  const leave = (): void => {
    setBusy(true)
    setFailed(undefined)
    desk
      .signOutEverywhere()
      .then(() => onOut(say('pageLeftEverywhere')))
      .catch((error: unknown) => {
        setBusy(false)
        setFailed(pageSentence(error))
      })
  }
  if (arrival === 'page')
    return (
      <Sheet
        title={say('pageSignOutEverywhere')}
        footer={
          <Button wide onClick={onBack}>
            {say('back')}
          </Button>
        }
      >
        <ForeignNotice />
      </Sheet>
    )
  return (
    <Sheet
      title={say('pageSignOutEverywhere')}
      footer={<ApprovalButtons yes="pageSignOutEverywhere" risk="high" doing={busy} onYes={leave} onNo={onBack} />}
    >
      <Text>{say('leaveEverywhereText')}</Text>
      {failed !== undefined && <Notice kind="error">{failed}</Notice>}
    </Sheet>
  )
}
