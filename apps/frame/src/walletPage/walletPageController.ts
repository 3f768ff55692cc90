import type { SocialName } from '@latchkey/protocol/frame/messages'
import {
  type AuditEntry,
  browserName,
  deleteDevice,
  deletePasskey,
  getAudit,
  getMe,
  getTransfers,
  getVaultConfig,
  postEmail,
  postEmailCode,
  postEmailDevice,
  postFarcaster,
  postFarcasterFinish,
  postPasskeySignIn,
  postPasskeySignInOptions,
  postSignOutEverywhere,
  postSocial,
  postSocialFinish,
  type SocialProvider,
  type VaultMe,
  type VaultTransfer,
} from '@latchkey/protocol/http/vault'
import { isWebLink } from '@latchkey/protocol/links'
import { createAccountSession } from '../accountSession.ts'
import { type ApprovalQueue, createApprovalQueue } from '../approvalQueue.ts'
import type { ApprovalView } from '../approvalViewModel.ts'
import { createDeviceStore } from '../deviceStore.ts'
import type { ApproveTransferDependencies } from '../deviceTransfer.ts'
import {
  createEmbeddedWallet,
  type EmbeddedWallet,
  type OpenedWallet,
  RecoveryCodeFormatError,
} from '../embeddedWallet.ts'
import type { FrameContext } from '../frameContext.ts'
import { type CryptoEnvironment, KeyError, parseRecord, systemEnvironment } from '../keys/index.ts'
import { type EndPermissionsDependencies, endPermissions } from '../permissions/endPermissions.ts'
import { PublicError } from '../publicError.ts'
import { createServerClock, type ServerClock } from '../serverClock.ts'
import { createSingleflight } from '../singleflight.ts'
import { supportsPasskeys } from '../supportsPasskeys.ts'
import { createVaultClient, isVaultFailure, type VaultClient } from '../vaultClient.ts'
import { canRemoveKey, type KeyRow, listKeys } from './listKeys.ts'

/** The credential for a reauthentication. */
export type ReauthenticationProof =
  | { readonly kind: 'passkey' }
  | { readonly kind: 'code'; readonly otp: string }
  | { readonly kind: 'kit'; readonly typed: string }

/** A social login: the provider, and the user's name there. */
export interface SocialSignIn {
  readonly provider: SocialName
  readonly userName: string | null
}

/** A session to approve one device request, opened by reauthentication. It can be used once, for that device only. */
export interface DeviceApprovalSession {
  readonly opened: OpenedWallet
  readonly transfer: VaultTransfer
  approveDevice(asking: Pick<ApproveTransferDependencies, 'signal' | 'pick' | 'confirm'>): Promise<void>
}

/** The logic of the wallet page, without its UI. */
export interface WalletPageController {
  readonly approvals: ApprovalQueue<ApprovalView>
  /** The services that requests of pages need. */
  readonly services: Pick<FrameContext, 'vault' | 'store' | 'session'> & { readonly wallet: EmbeddedWallet }
  readonly environment: CryptoEnvironment
  /** Returns the user logged in to this origin. */
  me(): Promise<VaultMe | undefined>
  open(me: VaultMe): Promise<OpenedWallet>
  /** Logs in with a passkey, on an approval screen. */
  loginWithPasskey(): Promise<OpenedWallet>
  /** Whether passkeys are available here. */
  passkeys(): Promise<boolean>
  /**
   * Sends a code by email. Resolves to `link` if the user has to open a link first; then wait for `linkFollowed`. `again` is true for
   * reauthentication.
   */
  mailCode(email: string, again: boolean): Promise<'code' | 'link'>
  linkFollowed(signal: AbortSignal): Promise<void>
  signInWith(otp: string): Promise<void>
  /** Returns the login URL of a provider, which redirects back to `/continue`. */
  socialUri(provider: SocialProvider): Promise<string>
  /** Logs in with the result of a provider's redirect. */
  signInBySocial(resultUri: string): Promise<SocialSignIn>
  /** Returns the link that the user opens in the Farcaster app. */
  farcasterUrl(): Promise<string>
  /** Logs in after the user approved it in the Farcaster app. */
  signInByFarcaster(signal: AbortSignal): Promise<SocialSignIn>
  /** Reauthenticates the user and opens the wallet again with their key. */
  reauthenticate(me: VaultMe, proof: ReauthenticationProof): Promise<OpenedWallet>
  keys(opened: OpenedWallet): Promise<readonly KeyRow[]>
  /**
   * Removes a key from the wallet and the server.
   * @throws {KeyError} `wrapper/last` for the last key that opens the wallet.
   */
  remove(opened: OpenedWallet, row: KeyRow): Promise<void>
  /** Changes the keys. Retries once if another device changed them in the meantime. */
  retryOnConflict<Result>(opened: OpenedWallet, change: () => Promise<Result>): Promise<Result>
  audit(): Promise<readonly AuditEntry[]>
  /** Returns the devices that request access, newest first. */
  requests(): Promise<readonly VaultTransfer[]>
  /** Reauthenticates for this request only. A wallet opened otherwise cannot approve a device. */
  approving(me: VaultMe, proof: ReauthenticationProof, transfer: VaultTransfer): Promise<DeviceApprovalSession>
  refuse(transfer: VaultTransfer): Promise<void>
  signOut(): Promise<void>
  signOutEverywhere(): Promise<void>
}

/** Dependencies of the wallet controller. */
export interface WalletPageControllerDependencies {
  readonly window: Window & typeof globalThis
  /** Returns the origin of the requesting page, or `undefined` if the window was not opened for a page. */
  readonly embedder?: () => string | undefined
  readonly vault?: VaultClient
  readonly environment?: CryptoEnvironment
  readonly grants?: EndPermissionsDependencies['grants']
}

/** Creates the wallet controller for `window`. */
export function createWalletPageController({
  window,
  vault = createVaultClient({ fetch: (input, init) => window.fetch(input, init) }),
  environment = systemEnvironment(),
  grants,
  embedder = () => undefined,
}: WalletPageControllerDependencies): WalletPageController {
  const clock = createServerClock({ local: Date.now, monotonic: () => window.performance.now() })
  const approvals = createApprovalQueue<ApprovalView>()
  const store = createDeviceStore({ indexedDB: () => window.indexedDB, crypto: window.crypto })
  const session = createAccountSession({ vault, clock, onSignedOut: () => wallet.lock() })
  const passkeys = async (): Promise<boolean> => supportsPasskeys(window) && (await vault(getVaultConfig)).passkeys
  const wallet = createEmbeddedWallet({
    vault,
    store,
    approvals,
    environment,
    shared: createSingleflight(),
    embedder,
    window,
    signedIn: (user) => session.signedIn(user),
    passkeys,
    assisted: async () => (await vault(getVaultConfig)).custody === 'assisted',
    deviceName: browserName(window.navigator.userAgent),
  })

  const endAllPermissions = (): Promise<void> =>
    endPermissions({ config: () => vault(getVaultConfig), grants: grants ?? (() => grantsIn(window, clock)), session })

  const retryOnConflict: WalletPageController['retryOnConflict'] = async (opened, change) => {
    try {
      return await change()
    } catch (error) {
      if (!(error instanceof KeyError && error.code === 'vault/conflict')) throw error
      const { record } = await vault(getMe)
      if (!record) throw error
      await opened.vault.adoptRecord(record.record)
      return change()
    }
  }

  const proofKey = async (proof: ReauthenticationProof) => {
    if (proof.kind === 'code') {
      const { user } = await vault(postEmailCode, { body: { otp: proof.otp } })
      session.signedIn(user)
      return undefined
    }
    // Fetch the current wrappers: a key can have been added since the page loaded.
    const { record } = await vault(getMe)
    const wrappers = record === null ? [] : parseRecord(record.record).wrappers
    if (proof.kind === 'kit') {
      const { recoveryCodeUnlockKey, parseRecoveryCode } = await import('../keys/recoveryKit.ts')
      const read = parseRecoveryCode(proof.typed)
      if (!('code' in read)) throw new RecoveryCodeFormatError(read)
      const key = await recoveryCodeUnlockKey(environment, read.code)
      if (!wrappers.some(({ id }) => id === key.id)) throw new KeyError('wrapper/unknown')
      return key
    }
    const ids = wrappers.filter(({ kind }) => kind === 'passkey').map(({ id }) => id)
    const { getPasskey } = await import('../keys/passkey.ts')
    const { options } = await vault(postPasskeySignInOptions)
    // Only passkeys of this wallet: a passkey of another account would log in to that account.
    const requestOptions = { ...options, allowCredentials: ids.map((id) => ({ id, type: 'public-key' })) }
    const { key, response } = await getPasskey(window, requestOptions)
    const { user } = await vault(postPasskeySignIn, { body: { response } })
    session.signedIn(user)
    if (!key || !ids.includes(key.id)) throw new PublicError('This passkey cannot open a wallet')
    return key
  }

  const reauthenticate: WalletPageController['reauthenticate'] = async (me, proof) => {
    const key = await proofKey(proof)
    const now = await session.me()
    if (now?.user.id !== me.user.id) throw new PublicError('Another account is signed in')
    wallet.lock()
    return wallet.open(now, key)
  }

  return {
    approvals,
    services: { vault, store, session, wallet },
    environment,
    me: () => session.me(),
    open: (me) => wallet.open(me),
    loginWithPasskey: () => wallet.loginWithPasskey({ id: undefined }),
    passkeys,
    async mailCode(email, again) {
      const { action } = await vault(postEmail, { body: { email, again } })
      return action === 'VERIFY_DEVICE' ? 'link' : 'code'
    },
    async linkFollowed(signal) {
      for (;;) {
        // The server holds each request for a while, so this loop does not spin.
        const { status } = await vault(postEmailDevice, { signal })
        if (status === 'approved') return
        signal.throwIfAborted()
      }
    },
    async signInWith(otp) {
      const { user } = await vault(postEmailCode, { body: { otp } })
      session.signedIn(user)
    },
    async socialUri(provider) {
      const { uri } = await vault(postSocial, { params: { provider }, body: { window: true } })
      if (!isWebLink(uri)) throw new PublicError('The sign-in failed')
      return uri
    },
    async signInBySocial(resultUri) {
      const { user, userName, provider } = await vault(postSocialFinish, { body: { resultUri } })
      session.signedIn(user, userName, resultUri)
      return { provider, userName }
    },
    farcasterUrl: async () => (await vault(postFarcaster)).url,
    async signInByFarcaster(signal) {
      for (;;) {
        // The server holds each request for a while, so this loop does not spin.
        const found = await vault(postFarcasterFinish, { signal })
        if (found.status === 'done') {
          session.signedIn(found.user, found.userName)
          return { provider: 'farcaster', userName: found.userName }
        }
        signal.throwIfAborted()
      }
    },
    reauthenticate,
    async keys(opened) {
      const me = await vault(getMe)
      if (me.record) await opened.vault.adoptRecord(me.record.record)
      return listKeys(me, opened.vault.record)
    },
    async remove(opened, row) {
      await retryOnConflict(opened, async () => {
        const rows = listKeys(await vault(getMe), opened.vault.record)
        if (!canRemoveKey(rows, row)) throw new KeyError('wrapper/last')
        // Update the wallet first, as it refuses to remove the last key. A key left on the server then opens nothing and can be removed
        // again.
        if (opened.vault.record.wrappers.some(({ id }) => id === row.id)) await opened.vault.removeWrapper(row.id)
      })
      const params = { id: row.id }
      if (row.kind === 'passkey') await vault(deletePasskey, { params })
      if (row.kind !== 'device') return
      await vault(deleteDevice, { params }).catch((error: unknown) => {
        if (!isVaultFailure(error, 'device/unknown')) throw error
      })
      if (!row.isThis) return
      await store.forgetDevice(opened.userId).catch(() => undefined)
      wallet.lock()
    },
    retryOnConflict,
    audit: async () => (await vault(getAudit)).entries,
    requests: async () => (await vault(getTransfers)).transfers.filter(({ isMine, sealed }) => !isMine && !sealed),
    async approving(me, proof, transfer) {
      const opened = await reauthenticate(me, proof)
      let isSpent = false
      return {
        opened,
        transfer,
        async approveDevice(asking) {
          if (isSpent) throw new KeyError('approval/refused')
          isSpent = true
          const { approveTransfer } = await import('../deviceTransfer.ts')
          const openedWith = proof.kind === 'code' ? 'code' : 'key'
          await approveTransfer({ vault, environment, openedWith, ...asking }, { transfer, opened: opened.vault })
        },
      }
    },
    async refuse(transfer) {
      const { refuseTransfer } = await import('../deviceTransfer.ts')
      await refuseTransfer({ vault }, transfer)
    },
    async signOut() {
      await endAllPermissions()
      await session.signOut()
    },
    async signOutEverywhere() {
      await endAllPermissions()
      await vault(postSignOutEverywhere)
      await session.signOut()
    },
  }
}

/** Returns the permissions of pages, as stored by the frames of this browser. */
async function grantsIn(
  window: Window & typeof globalThis,
  clock: ServerClock,
): ReturnType<EndPermissionsDependencies['grants']> {
  const { createGrantStore } = await import('../permissions/grantStore.ts')
  return createGrantStore({ indexedDB: () => window.indexedDB, locks: window.navigator.locks, clock })
}
