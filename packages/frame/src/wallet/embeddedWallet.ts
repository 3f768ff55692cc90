import { fromBase64Url } from '@latchkey/protocol/bytes'
import {
  getMe,
  postDevice,
  postDeviceHalf,
  postPasskey,
  postPasskeyAccount,
  postPasskeyAccountOptions,
  postPasskeyOptions,
  postPasskeySignIn,
  postPasskeySignInOptions,
  type VaultMe,
  type VaultUser,
  type WebAuthnJson,
} from '@latchkey/protocol/http/vault'
import {
  type Addresses,
  type Bytes,
  type CryptoEnvironment,
  deviceUnlockKey,
  getProtection,
  KeyError,
  parseRecord,
  resumeSave,
  type UnlockedVault,
  type UnlockKey,
  type VaultRecord,
} from '@latchkey/vault'
import { createVault } from '@latchkey/vault/createVault'
import { openVault } from '@latchkey/vault/openVault'
import type { RecoveryCodeError } from '@latchkey/vault/recoveryKit'
import type { PasskeyWindow } from '@latchkey/vault/webAuthn'
import type { ApprovalQueue } from './approvalQueue.ts'
import type { ApprovalView, BackupOptions, FirstRecoveryKit, RecoveryOptions } from './approvalViewModel.ts'
import type { DeviceIdentity, DeviceStore } from './deviceStore.ts'
import { createNewRecoveryKit, recoveryKitName } from './newRecoveryKit.ts'
import { canCreatePasskeys, type OpenerWindow, openPasskeyPopup } from './passkeyPopup.ts'
import { PublicError } from './publicError.ts'
import {
  getKnownWrappers,
  isForgery,
  lastSeenRecord,
  overwriteAndNotify,
  readServerRecord,
  restoreFromDevice,
} from './restoreVaultRecord.ts'
import type { Singleflight } from './singleflight.ts'
import { isVaultFailure, type VaultClient } from './vaultClient.ts'

/** The signed-in user's wallet. */
export interface EmbeddedWallet {
  /** Opens the vault with this device's key, creates the vault if the account has none, or asks the user for another key. */
  open(me: VaultMe, suppliedKey?: UnlockKey): Promise<OpenedWallet>
  /** Shows the passkey login screen. Signing in, or creating an account, also unlocks the wallet. */
  loginWithPasskey(request: {
    readonly id: string | undefined
    /** The queue in which to show the screen. Defaults to the wallet's queue. */
    readonly approvals?: ApprovalQueue<ApprovalView>
  }): Promise<OpenedWallet>
  /** The unlocked wallet, or `undefined` while it is locked. */
  opened(): OpenedWallet | undefined
  lock(): void
}

/** An unlocked vault and its addresses. `single` specifies whether the vault has only one key. */
export interface OpenedWallet {
  readonly userId: string
  readonly vault: UnlockedVault
  readonly addresses: Addresses
  readonly single: boolean
  readonly protecting: BackupOptions
}

/** The dependencies of the embedded wallet. */
export interface WalletDependencies {
  readonly vault: VaultClient
  readonly store: DeviceStore
  readonly approvals: ApprovalQueue<ApprovalView>
  readonly environment: CryptoEnvironment
  readonly shared: Singleflight
  /** Returns the origin of the embedding page, or `undefined` if the frame is the top-level page. */
  readonly embedder: () => string | undefined
  readonly window: PasskeyWindow & OpenerWindow
  /** Called with the user after a passkey login. */
  readonly signedIn: (user: VaultUser) => void
  /** Resolves to whether passkeys work on the operator's host. */
  readonly passkeys: () => Promise<boolean>
  /** The display name of this device. */
  readonly deviceName: string
  /** Resolves to whether assisted custody is enabled. Assisted custody also requires a frame that was built for it. */
  readonly assisted?: () => Promise<boolean>
}

/** Creates a locked wallet. */
export function createEmbeddedWallet(dependencies: WalletDependencies): EmbeddedWallet {
  const { shared } = dependencies
  let now: OpenedWallet | undefined
  /** Counts how often the wallet was locked. If the count changes while the wallet is being opened, the wallet stays locked. */
  let locks = 0

  const opened = (): OpenedWallet | undefined => {
    if (now?.vault.locked) now = undefined
    return now
  }

  const wallet: EmbeddedWallet = {
    opened,
    async loginWithPasskey({ id, approvals = dependencies.approvals }) {
      if (!(await dependencies.passkeys())) throw new PublicError('There are no passkeys here')
      const { user, key } = await askPasskeyLogin({ ...dependencies, approvals }, id)
      if (user) dependencies.signedIn(user)
      const me = await dependencies.vault(getMe)
      return wallet.open(me, key)
    },
    open: (me, suppliedKey) => {
      const before = locks
      const requireNotLocked = (): void => {
        if (locks !== before) throw new PublicError('Not signed in')
      }
      const approvals: ApprovalQueue<ApprovalView> = {
        ...dependencies.approvals,
        async ask(request) {
          requireNotLocked()
          return dependencies.approvals.ask(request)
        },
      }
      // Several requests can arrive at the same time after a login. They share one attempt to unlock the wallet.
      return shared(`open:${me.user.id}:${before}`, async () => {
        const found = opened()
        if (found?.userId === me.user.id) {
          // Adopt the keys that were added or removed on other devices. The vault ignores a record that is not newer than its
          // own.
          if (me.record) await found.vault.adoptRecord(me.record.record).catch(() => undefined)
          return found
        }
        found?.vault.lock()
        const vault = await openOrCreateVault({ ...dependencies, approvals }, me, suppliedKey)
        await dependencies.store.remember(knownWalletKey(me.user.id), vault.record.wallet)
        const passkeys = await dependencies.passkeys()
        if (locks !== before) vault.lock()
        requireNotLocked()
        now = {
          protecting: backupOptionsOf(dependencies, { userId: me.user.id, vault, passkeys }),
          userId: me.user.id,
          vault,
          addresses: vault.record.addresses,
          get single() {
            return getProtection(vault.record).state === 'single'
          },
        }
        return now
      })
    },
    lock() {
      locks += 1
      now?.vault.lock()
      now = undefined
    },
  }
  return wallet
}

/** The result of a passkey login. It includes the user if the login took place in this window. */
interface PasskeyLogin {
  readonly user?: VaultUser
  readonly key?: UnlockKey | undefined
}

function askPasskeyLogin(dependencies: WalletDependencies, id: string | undefined): Promise<PasskeyLogin> {
  const { vault, window, approvals } = dependencies
  const elsewhere = !canCreatePasskeys(window)
  const begin = async (): Promise<PasskeyLogin> => {
    const { createPasskey } = await import('@latchkey/vault/webAuthn')
    const { options } = await vault(postPasskeyAccountOptions)
    const made = await createPasskey(window, options)
    const { user } = await vault(postPasskeyAccount, {
      body: { name: dependencies.deviceName, response: made.response },
    })
    // A passkey without PRF support can still sign the user in. The device key is then the wallet's first key.
    return { user, key: made.key ?? (await getPasskeyUnlockKey(dependencies, [made.id]).catch(() => undefined)) }
  }
  return approvals.ask({
    id,
    subject: {
      kind: 'enter',
      entering: {
        origin: dependencies.embedder(),
        elsewhere,
        async signIn(): Promise<PasskeyLogin> {
          const { getPasskey } = await import('@latchkey/vault/webAuthn')
          const { options } = await vault(postPasskeySignInOptions)
          const { response, key } = await getPasskey(window, options)
          const { user } = await vault(postPasskeySignIn, { body: { response } })
          return { user, key }
        },
        begin: elsewhere ? () => openPasskeyPopup(window, 'new').then(() => ({})) : begin,
      },
    },
    // Resolves immediately to close this screen, because the next step might need its own screen.
    perform: async (entered: PasskeyLogin) => entered,
  })
}

async function openOrCreateVault(
  dependencies: WalletDependencies,
  me: VaultMe,
  suppliedKey: UnlockKey | undefined,
): Promise<UnlockedVault> {
  const { vault: client, store: device, environment } = dependencies
  const user = me.user.id
  const store = device.vaultStore(user, client)
  const saved = me.record === null ? undefined : readServerRecord(me.record)
  if (me.record && !saved) {
    const vault = await restoreFromDevice(dependencies, me, { suppliedKey, record: undefined })
    if (vault) return vault
    const stored = await lastSeenRecord(dependencies, user)
    if (!stored) throw new KeyError('vault/malformed')
    const opened = await openOrRecover(dependencies, me, stored, suppliedKey)
    await overwriteAndNotify(dependencies, opened, me.record.version)
    return opened
  }
  const record = await resumeSave(store, { user, saved })
  await requireKnownWallet(dependencies, user, record)
  if (record)
    try {
      return await openOrRecover(dependencies, me, record, suppliedKey)
    } catch (error) {
      // The key opens the vault, but the record was not written by someone who has the vault key.
      const vault = isForgery(error) && (await restoreFromDevice(dependencies, me, { suppliedKey, record }))
      if (vault) return vault
      throw error
    }

  // On the first login, the vault is created with the device key. Other keys are added later.
  const create = (key: UnlockKey, name: string) => createVault({ user, key, name, environment, store })
  try {
    if (suppliedKey) {
      const vault = await create(suppliedKey, dependencies.deviceName)
      await addThisDevice(dependencies, user, vault).catch(() => undefined)
      return vault
    }
    const made = (await device.available()) ? await device.device(user, true) : undefined
    if (!made) return await createVaultWithoutDevice(dependencies, user, create)
    const vault = await create(
      deviceUnlockKey(made.id, made.secret, await registerDevice(dependencies, user, made)),
      dependencies.deviceName,
    )
    if (import.meta.env.CUSTODY === 'assisted' && (await dependencies.assisted?.()))
      await (await import('./operatorShares.ts')).createOperatorShares(dependencies, { userId: user, vault })
    return vault
  } catch (error) {
    // Another tab or device created the vault first, so use that vault.
    if (!(error instanceof KeyError && error.code === 'vault/conflict')) throw error
    await store.storeDraft(undefined)
    const again = await client(getMe)
    if (again.user.id !== user || !again.record) throw error
    await requireKnownWallet(dependencies, user, parseRecord(again.record.record))
    return openOrRecover(dependencies, again, parseRecord(again.record.record), suppliedKey)
  }
}

/**
 * Throws if this browser has already opened a wallet for this account but the server returns a different wallet or none. A lost,
 * hidden or forged record must not cause the user to get a new address.
 */
async function requireKnownWallet(
  { store }: WalletDependencies,
  userId: string,
  record: VaultRecord | undefined,
): Promise<void> {
  const known = await store.recall(knownWalletKey(userId))
  if (known !== undefined && known !== record?.wallet)
    throw new PublicError(
      'The server did not return the wallet that this browser opened before. Nothing was changed. Your recovery kit still opens your wallet.',
    )
}

function knownWalletKey(userId: string): string {
  return `wallet:${userId}`
}

/**
 * Creates the vault in a browser without storage. Its first key is a passkey or a recovery kit, which is then required each time
 * the vault is unlocked.
 */
async function createVaultWithoutDevice(
  dependencies: WalletDependencies,
  userId: string,
  create: (key: UnlockKey, name: string) => Promise<UnlockedVault>,
): Promise<UnlockedVault> {
  const { approvals, environment, window } = dependencies
  const passkeys = (await dependencies.passkeys()) && canCreatePasskeys(window)
  return approvals.ask({
    subject: {
      kind: 'start',
      starting: {
        origin: dependencies.embedder(),
        async makeKit(): Promise<FirstRecoveryKit> {
          const { code, qr, unlockKey, file } = await createNewRecoveryKit(environment)
          return {
            code,
            qr,
            async start() {
              const vault = await create(await unlockKey(), recoveryKitName)
              return { vault, file: file(vault.record, environment.clock.now()) }
            },
          }
        },
        startWithPasskey: passkeys
          ? async () => {
              const { made, key } = await createAccountPasskey(dependencies)
              const vault = await create(key, dependencies.deviceName)
              await dependencies.vault(postPasskey, { body: { userId, name: dependencies.deviceName, response: made } })
              return vault
            }
          : undefined,
      },
    },
    perform: async (vault: UnlockedVault) => vault,
  })
}

/** Creates a passkey for the signed-in account. Resolves to the unlock key and to the response for the server. */
async function createAccountPasskey(
  dependencies: WalletDependencies,
): Promise<{ readonly made: WebAuthnJson; readonly key: UnlockKey }> {
  const { createPasskey } = await import('@latchkey/vault/webAuthn')
  const { options } = await dependencies.vault(postPasskeyOptions)
  const { id, key, response } = await createPasskey(dependencies.window, options)
  return { made: response, key: key ?? (await getPasskeyUnlockKey(dependencies, [id])) }
}

async function openOrRecover(
  dependencies: WalletDependencies,
  me: VaultMe,
  record: VaultRecord,
  suppliedKey: UnlockKey | undefined,
): Promise<UnlockedVault> {
  const { vault: client, store: device, environment, approvals } = dependencies
  const user = me.user.id
  const store = device.vaultStore(user, client)
  const open = (key: UnlockKey): Promise<UnlockedVault> => openVault({ user, record, key, environment, store })

  if (suppliedKey && record.wrappers.some(({ kind, id }) => kind === suppliedKey.kind && id === suppliedKey.id)) {
    const vault = await open(suppliedKey)
    await addThisDevice(dependencies, user, vault).catch(() => undefined)
    return vault
  }
  const reason = await openWithDevice(dependencies, user, record, open)
  if (typeof reason !== 'string') return reason
  const restored = await restoreFromDevice(dependencies, me, { suppliedKey, record })
  if (restored) return restored
  if (import.meta.env.CUSTODY === 'assisted') {
    const key = await (await import('./operatorShares.ts')).getOperatorUnlockKey(dependencies, { userId: user, record })
    if (key) {
      const vault = await open(key)
      await addThisDevice(dependencies, user, vault).catch(() => undefined)
      return vault
    }
  }
  const wrappers = await getKnownWrappers(dependencies, { user, record })
  const ids = [...new Set(wrappers.filter(({ kind }) => kind === 'passkey').map(({ id }) => id))]
  const openWith = async (key: UnlockKey): Promise<UnlockedVault> => {
    try {
      return await open(key)
    } catch (error) {
      const vault = isForgery(error) && (await restoreFromDevice(dependencies, me, { suppliedKey: key, record }))
      if (vault) return vault
      throw error
    }
  }
  return approvals.ask({
    subject: {
      kind: 'recover',
      recovering: {
        origin: dependencies.embedder(),
        email: me.user.email,
        address: record.addresses.eip155,
        kinds: getProtection({ wrappers }).kinds,
        because: reason,
        async openWithKit(typed) {
          const { recoveryCodeUnlockKey, parseRecoveryCode } = await import('@latchkey/vault/recoveryKit')
          const read = parseRecoveryCode(typed)
          if (!('code' in read)) throw new RecoveryCodeFormatError(read)
          return openWith(await recoveryCodeUnlockKey(environment, read.code))
        },
        openWithPasskey:
          ids.length > 0 ? async () => openWith(await getPasskeyUnlockKey(dependencies, ids)) : undefined,
        async openWithDevice({ signal, onPosted, compare }) {
          const [{ requestTransfer }, { openWithVaultKey }] = await Promise.all([
            import('./deviceTransfer.ts'),
            import('@latchkey/vault/openVault'),
          ])
          const asking = { subject: record, onPosted }
          const vaultKey = await requestTransfer({ vault: client, environment, signal, compare }, asking)
          // The keys might have been changed on another device in the meantime.
          const now = (await client(getMe)).record
          const newest = now === null ? record : parseRecord(now.record)
          return openWithVaultKey({ user, record: newest, vaultKey, environment, store })
        },
      },
    },
    // The screen has already opened the vault, so only a key for this device is added.
    perform: async (vault: UnlockedVault) => {
      // The key only simplifies the next login, so the vault stays open even if it cannot be added.
      await addThisDevice(dependencies, user, vault).catch(() => undefined)
      return vault
    },
  })
}

/** Prompts for one of the given passkeys and returns its unlock key. The user is already signed in. */
async function getPasskeyUnlockKey(
  { window, environment }: WalletDependencies,
  ids: readonly string[],
): Promise<UnlockKey> {
  const { getPasskey, prfRequestOptions } = await import('@latchkey/vault/webAuthn')
  const { key } = await getPasskey(window, prfRequestOptions(environment, ids))
  if (!key) throw new PublicError('This passkey cannot open a wallet')
  return key
}

function backupOptionsOf(
  dependencies: WalletDependencies,
  { userId, vault, passkeys }: { userId: string; vault: UnlockedVault; passkeys: boolean },
): BackupOptions {
  const { environment, window } = dependencies
  return {
    async makeKit() {
      const { code, qr, unlockKey, file } = await createNewRecoveryKit(environment)
      return {
        code,
        qr,
        async keep() {
          await vault.addWrapper(await unlockKey(), recoveryKitName)
          return file(vault.record, environment.clock.now())
        },
      }
    },
    get elsewhere() {
      return !canCreatePasskeys(window)
    },
    addPasskey: passkeys
      ? async () => {
          if (!canCreatePasskeys(window)) {
            await openPasskeyPopup(window, 'passkey')
            const { record } = await dependencies.vault(getMe)
            if (record) await vault.adoptRecord(record.record)
            return
          }
          const { made, key } = await createAccountPasskey(dependencies)
          // The passkey is added to the vault first. Otherwise, a failure could leave a passkey that signs the user in but cannot
          // unlock the wallet.
          await vault.addWrapper(key, dependencies.deviceName)
          await dependencies.vault(postPasskey, { body: { userId, name: dependencies.deviceName, response: made } })
        }
      : undefined,
  }
}

/** Thrown if the recovery code that the user entered is malformed. */
export class RecoveryCodeFormatError extends Error {
  readonly codeError: RecoveryCodeError
  constructor(codeError: RecoveryCodeError) {
    super(codeError.error)
    this.codeError = codeError
  }
}

/** Opens the vault with the device key. Resolves to the vault, or to the reason why it could not be opened. */
async function openWithDevice(
  dependencies: WalletDependencies,
  user: string,
  record: VaultRecord,
  open: (key: UnlockKey) => Promise<UnlockedVault>,
): Promise<UnlockedVault | RecoveryOptions['because']> {
  if (!(await dependencies.store.available())) return 'no-storage'
  const found = await dependencies.store.device(user, false)
  if (!found) return 'new-device'
  if (!record.wrappers.some(({ kind, id }) => kind === 'device' && id === found.id)) return 'removed'
  try {
    const { serverHalf } = await dependencies.vault(postDeviceHalf, { params: { id: found.id } })
    return await open(deviceUnlockKey(found.id, found.secret, decodeBytes(serverHalf)))
  } catch (error) {
    if (isVaultFailure(error, 'device/revoked', 'device/unknown', 'device/other-browser')) return 'removed'
    if (error instanceof KeyError && error.code === 'wrapper/does-not-open') return 'lost'
    throw error
  }
}

/** Adds a key for this device to an unlocked vault. */
async function addThisDevice(dependencies: WalletDependencies, user: string, vault: UnlockedVault): Promise<void> {
  if (!(await dependencies.store.available())) return
  const old = await dependencies.store.device(user, false)
  if (old && vault.record.wrappers.some(({ id }) => id === old.id)) return
  await dependencies.store.forgetDevice(user)
  const made = await dependencies.store.device(user, true)
  if (!made) return
  await vault.addWrapper(
    deviceUnlockKey(made.id, made.secret, await registerDevice(dependencies, user, made)),
    dependencies.deviceName,
  )
}

async function registerDevice(
  { vault, deviceName }: WalletDependencies,
  userId: string,
  { id }: DeviceIdentity,
): Promise<Bytes> {
  const { serverHalf } = await vault(postDevice, { body: { userId, deviceId: id, name: deviceName } })
  return decodeBytes(serverHalf)
}

function decodeBytes(text: string): Bytes {
  // The HTTP contract has already checked that the text is valid base64url.
  return new Uint8Array(fromBase64Url(text) ?? [])
}
