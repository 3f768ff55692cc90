import type { KeysUser } from '@latchkey/protocol/http/keys'
import type { CryptoEnvironment } from '@latchkey/vault'
import type { PasskeyWindow } from '@latchkey/vault/webAuthn'
import type { ApprovalQueue } from '../approvals/approvalQueue.ts'
import type { ApprovalView } from '../approvals/approvalViewModel.ts'
import type { KeysApiClient } from '../keysApiClient.ts'
import type { Singleflight } from '../singleflight.ts'
import type { DeviceStore } from './deviceStore.ts'
import type { OpenerWindow } from './walletPagePopup.ts'

/** The dependencies of the embedded wallet. */
export interface WalletDependencies {
  readonly keysClient: KeysApiClient
  readonly store: DeviceStore
  readonly approvals: ApprovalQueue<ApprovalView>
  readonly environment: CryptoEnvironment
  readonly shared: Singleflight
  /** Returns the origin of the embedding page, or `undefined` if the frame is the top-level page. */
  readonly embedder: () => string | undefined
  readonly window: PasskeyWindow & OpenerWindow
  /** Called with the user after a passkey login. */
  readonly signedIn: (user: KeysUser) => void
  /** Resolves to whether passkeys work on the operator's host. */
  readonly passkeys: () => Promise<boolean>
  /** The display name of this device. */
  readonly deviceName: string
  /** Resolves to whether assisted custody is enabled. Assisted custody also requires a frame that was built for it. */
  readonly assisted?: () => Promise<boolean>
}
