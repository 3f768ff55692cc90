import {
  type AuditEntry,
  browserName,
  getAudit,
  getKeysOriginConfig,
  type KeysMe,
  postSignOutEverywhere,
} from '@latchkey/protocol/http/keys'
import { type CryptoEnvironment, systemEnvironment } from '@latchkey/vault'
import { createAccountSession } from '../accountSession.ts'
import { type ApprovalQueue, createApprovalQueue } from '../approvals/approvalQueue.ts'
import type { ApprovalView } from '../approvals/approvalViewModel.ts'
import type { FrameContext } from '../frameContext.ts'
import { createKeysApiClient, type KeysApiClient } from '../keysApiClient.ts'
import { type RevokeAllPermissionsDependencies, revokeAllPermissions } from '../permissions/revokeAllPermissions.ts'
import { createServerClock, type ServerClock } from '../serverClock.ts'
import { createSingleflight } from '../singleflight.ts'
import { createDeviceStore } from '../wallet/deviceStore.ts'
import { createEmbeddedWallet, type EmbeddedWallet, type OpenedWallet } from '../wallet/embeddedWallet.ts'
import { supportsPasskeys } from '../wallet/supportsPasskeys.ts'
import { createDeviceRequests, type DeviceRequests } from './deviceRequests.ts'
import { createLoginMethods, type LoginMethods } from './loginMethods.ts'
import { type ReauthenticationProof, reauthenticate } from './reauthentication.ts'
import { createUnlockKeyManagement, type UnlockKeyManagement } from './unlockKeyManagement.ts'

/** The logic of the wallet page, without its UI. */
export interface WalletPageController extends LoginMethods, UnlockKeyManagement, DeviceRequests {
  readonly approvals: ApprovalQueue<ApprovalView>
  /** The services needed to execute a request from a cross-site page. */
  readonly services: Pick<FrameContext, 'keysClient' | 'store' | 'session'> & { readonly wallet: EmbeddedWallet }
  readonly environment: CryptoEnvironment
  /** Resolves to the user who is logged in to this origin. */
  me(): Promise<KeysMe | undefined>
  open(me: KeysMe): Promise<OpenedWallet>
  /** Logs the user in with a passkey on an approval screen. */
  loginWithPasskey(): Promise<OpenedWallet>
  /** Resolves to whether passkeys are available. */
  passkeys(): Promise<boolean>
  /** Reauthenticates the user and opens the wallet again with the user's key. */
  reauthenticate(me: KeysMe, proof: ReauthenticationProof): Promise<OpenedWallet>
  audit(): Promise<readonly AuditEntry[]>
  signOut(): Promise<void>
  signOutEverywhere(): Promise<void>
}

/** The dependencies of the wallet page controller. */
export interface WalletPageControllerDependencies {
  readonly window: Window & typeof globalThis
  /** Returns the origin of the requesting page, or `undefined` if the window was not opened for a page. */
  readonly embedder?: () => string | undefined
  readonly keysClient?: KeysApiClient
  readonly environment?: CryptoEnvironment
  readonly grants?: RevokeAllPermissionsDependencies['grants']
}

/** Creates the wallet page controller for `window`. */
export function createWalletPageController({
  window,
  keysClient = createKeysApiClient({ fetch: (input, init) => window.fetch(input, init) }),
  environment = systemEnvironment(),
  grants,
  embedder = () => undefined,
}: WalletPageControllerDependencies): WalletPageController {
  const clock = createServerClock({ local: Date.now, monotonic: () => window.performance.now() })
  const approvals = createApprovalQueue<ApprovalView>()
  const store = createDeviceStore({ indexedDB: () => window.indexedDB, crypto: window.crypto })
  const session = createAccountSession({ keysClient, clock, onSignedOut: () => wallet.lock() })
  const passkeys = async (): Promise<boolean> =>
    supportsPasskeys(window) && (await keysClient(getKeysOriginConfig)).passkeys
  const wallet = createEmbeddedWallet({
    keysClient,
    store,
    approvals,
    environment,
    shared: createSingleflight(),
    embedder,
    window,
    signedIn: (user) => session.signedIn(user),
    passkeys,
    assisted: async () => (await keysClient(getKeysOriginConfig)).custody === 'assisted',
    deviceName: browserName(window.navigator.userAgent),
  })
  const reauthenticateUser: WalletPageController['reauthenticate'] = (me, proof) =>
    reauthenticate({ keysClient, session, wallet, environment, window }, me, proof)
  const endAllPermissions = (): Promise<void> =>
    revokeAllPermissions({
      config: () => keysClient(getKeysOriginConfig),
      grants: grants ?? (() => grantsIn(window, clock)),
      session,
    })

  return {
    ...createLoginMethods({ keysClient, session }),
    ...createUnlockKeyManagement({ keysClient, store, wallet }),
    ...createDeviceRequests({ keysClient, environment, reauthenticate: reauthenticateUser }),
    approvals,
    services: { keysClient, store, session, wallet },
    environment,
    me: () => session.me(),
    open: (me) => wallet.open(me),
    loginWithPasskey: () => wallet.loginWithPasskey({ id: undefined }),
    passkeys,
    reauthenticate: reauthenticateUser,
    audit: async () => (await keysClient(getAudit)).entries,
    async signOut() {
      await endAllPermissions()
      await session.signOut()
    },
    async signOutEverywhere() {
      await endAllPermissions()
      await keysClient(postSignOutEverywhere)
      await session.signOut()
    },
  }
}

/** Resolves to the permissions that pages have, as stored by the frames in this browser. */
async function grantsIn(
  window: Window & typeof globalThis,
  clock: ServerClock,
): ReturnType<RevokeAllPermissionsDependencies['grants']> {
  const { createGrantStore } = await import('../permissions/grantStore.ts')
  return createGrantStore({ indexedDB: () => window.indexedDB, locks: window.navigator.locks, clock })
}
