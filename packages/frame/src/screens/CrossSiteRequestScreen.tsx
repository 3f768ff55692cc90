import { Notice, Text } from '@latchkey/ui'
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react'
import type { ApprovalView } from '../approvals/approvalViewModel.ts'
import { t } from '../texts/translations.ts'
import { Origin, Sheet } from './approvalScreenParts.tsx'
import { ContinueInWindowButtons } from './ContinueInWindowButtons.tsx'

/** Shown in a cross-site frame. The user reviews the request in a separate window. */
export function CrossSiteRequestScreen({
  subject: { origin, wants, handover },
  doing,
  behind,
  onYes,
  onNo,
}: {
  readonly subject: ApprovalView & { readonly kind: 'window' }
  readonly doing: boolean
  readonly behind: number
  readonly onYes: () => void
  readonly onNo: () => void
}): ReactNode {
  const state = useSyncExternalStore(handover.subscribe, handover.state)
  const failure = useSyncExternalStore(handover.subscribe, handover.failure)
  const begun = useRef(onYes)
  useEffect(() => {
    begun.current = onYes
  })
  useEffect(() => {
    let left = false
    void handover.begun.then(() => {
      if (!left) begun.current()
    })
    return () => {
      left = true
    }
  }, [handover])
  const title = wants === 'connect' ? 'awayConnectTitle' : 'windowTitle'
  return (
    <Sheet
      title={t(title)}
      footer={<ContinueInWindowButtons state={state} open={handover.open} doing={doing} onNo={onNo} text={wants} />}
    >
      <Origin origin={origin} wants={wants === 'connect' ? 'recoverAsks' : 'awayAsks'} behind={behind} />
      <Text>{t(wants === 'connect' ? 'awayConnectText' : 'awayRequestText')}</Text>
      {failure !== undefined && <Notice kind="error">{failure}</Notice>}
    </Sheet>
  )
}
