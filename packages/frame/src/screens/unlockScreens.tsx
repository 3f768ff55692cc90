import type { ReactNode } from 'react'
import type { ApprovalView } from '../approvals/approvalViewModel.ts'
import { ConnectScreen } from './ConnectScreen.tsx'
import { CreateWalletScreen } from './CreateWalletScreen.tsx'
import { OpenWindowScreen } from './OpenWindowScreen.tsx'
import { PasskeyLoginScreen } from './PasskeyLoginScreen.tsx'
import { RecordRestoredScreen } from './RecordRestoredScreen.tsx'
import { RecoverScreen } from './RecoverScreen.tsx'

/** Common props for screens that are shown before a wallet is unlocked. */
export interface UnlockScreenProps {
  readonly doing: boolean
  /** The number of requests waiting behind this one. Defaults to 0. */
  readonly behind?: number
  readonly onYes: (choice?: unknown) => void
  readonly onNo: () => void
}

/** Renders a screen for login, the first key or recovery. Returns `undefined` for a request that requires an unlocked wallet. */
export function renderUnlockScreen(subject: ApprovalView, props: UnlockScreenProps): ReactNode {
  switch (subject.kind) {
    case 'recover':
      return <RecoverScreen {...props} recovering={subject.recovering} />
    case 'putBack':
      return <RecordRestoredScreen {...props} origin={subject.origin} />
    case 'start':
      return <CreateWalletScreen {...props} starting={subject.starting} />
    case 'enter':
      return <PasskeyLoginScreen {...props} entering={subject.entering} />
    case 'window':
      return <OpenWindowScreen {...props} behind={props.behind ?? 0} subject={subject} />
    case 'connect':
      return <ConnectScreen {...props} subject={subject} />
    default:
      return undefined
  }
}
