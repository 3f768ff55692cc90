import type { ReactNode } from 'react'
import type { ApprovalView } from '../approvals/approvalViewModel.ts'
import { ConnectScreen } from './ConnectScreen.tsx'
import { CreateWalletScreen } from './CreateWalletScreen.tsx'
import { CrossSiteRequestScreen } from './CrossSiteRequestScreen.tsx'
import { PasskeyLoginScreen } from './PasskeyLoginScreen.tsx'
import { RecordRestoredScreen } from './RecordRestoredScreen.tsx'
import { RecoverScreen } from './RecoverScreen.tsx'

/** Common props for the screens of requests that do not require an unlocked wallet. */
export interface UnlockScreenProps {
  readonly doing: boolean
  /** The number of requests waiting behind this one. Defaults to 0. */
  readonly behind?: number
  readonly onYes: (choice?: unknown) => void
  readonly onNo: () => void
}

/**
 * Renders a screen for logging in, creating or recovering a wallet, a restored record, or a cross-site page. Returns `undefined`
 * for a request that requires an unlocked wallet.
 */
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
      return <CrossSiteRequestScreen {...props} behind={props.behind ?? 0} subject={subject} />
    case 'connect':
      return <ConnectScreen {...props} subject={subject} />
    default:
      return undefined
  }
}
