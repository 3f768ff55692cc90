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
import type { Approvals } from './approvals.ts'
import { doneElsewhere, makesPasskeysHere, type OpenerWindow } from './elsewhere.ts'
import { createVault } from './keys/createVault.ts'
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
} from './keys/index.ts'
import { openVault } from './keys/openVault.ts'
import type { PasskeyWindow } from './keys/passkey.ts'
import type { RecoveryCodeError } from './keys/recoveryKit.ts'
import { Refusal } from './refusal.ts'
import { isForgery, keptHere, knownWrappers, putBackAndTell, readable, restoredHere } from './restore.ts'
import type { Shared } from './shared.ts'
import type { DeviceStore, ThisDevice } from './store.ts'
import type { Protecting, Recovering, StartKit, Subject } from './subject.ts'
import { isVaultFailure, type VaultClient } from './vaultClient.ts'

/** The vault of whoever is signed in. */
export interface Wallet {
  /** Opens the vault with what this device has, makes it where the account has none, or asks the person for another key. */
  open(me: VaultMe, brought?: UnlockKey): Promise<OpenWallet>
  /** Asks who is there to come in by passkey, or to begin with one: signs in and opens in one step. */
  enter(asked: { readonly id: string | undefined }): Promise<OpenWallet>
  /** The vault as it is open now. */
  opened(): OpenWallet | undefined
  lock(): void
}

/** An open vault, its addresses, and whether losing one thing may lose all. */
export interface OpenWallet {
  readonly userId: string
  readonly vault: UnlockedVault
  readonly addresses: Addresses
  readonly single: boolean
  readonly protecting: Protecting
}

/** What the wallet needs. */
export interface WalletNeeds {
  readonly vault: VaultClient
  readonly store: DeviceStore
  readonly approvals: Approvals<Subject>
  readonly environment: CryptoEnvironment
  readonly shared: Shared
  /** The page that embeds us; `undefined` on a page of our own. */
  readonly embedder: () => string | undefined
  readonly window: PasskeyWindow & OpenerWindow
  /** Told who came in by passkey. */
  readonly signedIn: (user: VaultUser) => void
  /** Whether the operator's host can have passkeys of its own. */
  readonly passkeys: () => Promise<boolean>
  /** What this device calls itself. */
  readonly deviceName: string
  /** Whether the operator wants to be able to open vaults; it can be only where the frame was built for it. */
  readonly assisted?: () => Promise<boolean>
}

/** A wallet that is locked. */
export function createWallet(needs: WalletNeeds): Wallet {
  const { shared } = needs
  let now: OpenWallet | undefined

  const opened = (): OpenWallet | undefined => {
    if (now?.vault.locked) now = undefined
    return now
  }

  const wallet: Wallet = {
    opened,
    async enter({ id }) {
      if (!(await needs.passkeys())) throw new Refusal('There are no passkeys here')
      const { user, key } = await enterBy(needs, id)
      if (user) needs.signedIn(user)
      const me = await needs.vault(getMe)
      return wallet.open(me, key)
    },
    open: (me, brought) =>
      // Several questions arrive at once after a login: they wait for one opening.
      shared(`open:${me.user.id}`, async () => {
        const found = opened()
        if (found?.userId === me.user.id) {
          // Keys that were added or removed elsewhere; a record that is no newer one of this vault changes nothing.
          if (me.record) await found.vault.adoptRecord(me.record.record).catch(() => undefined)
          return found
        }
        found?.vault.lock()
        const vault = await vaultOf(needs, me, brought)
        await needs.store.remember(knownAs(me.user.id), vault.record.wallet)
        const passkeys = await needs.passkeys()
        now = {
          protecting: protectingOf(needs, { userId: me.user.id, vault, passkeys }),
          userId: me.user.id,
          vault,
          addresses: vault.record.addresses,
          get single() {
            return getProtection(vault.record).state === 'single'
          },
        }
        return now
      }),
    lock() {
      now?.vault.lock()
      now = undefined
    },
  }
  return wallet
}

/** Who came in, where it was here, and what their passkey opens. */
interface Entered {
  readonly user?: VaultUser
  readonly key?: UnlockKey | undefined
}

function enterBy(needs: WalletNeeds, id: string | undefined): Promise<Entered> {
  const { vault, window, approvals } = needs
  const elsewhere = !makesPasskeysHere(window)
  const begin = async (): Promise<Entered> => {
    const { createPasskey } = await import('./keys/passkey.ts')
    const { options } = await vault(postPasskeyAccountOptions)
    const made = await createPasskey(window, options)
    const { user } = await vault(postPasskeyAccount, { body: { name: needs.deviceName, response: made.response } })
    // One that computes nothing signs in all the same; then this device is the first key.
    return { user, key: made.key ?? (await passkeyOf(needs, [made.id]).catch(() => undefined)) }
  }
  return approvals.ask({
    id,
    subject: {
      kind: 'enter',
      entering: {
        origin: needs.embedder(),
        elsewhere,
        async signIn(): Promise<Entered> {
          const { getPasskey } = await import('./keys/passkey.ts')
          const { options } = await vault(postPasskeySignInOptions)
          const { response, key } = await getPasskey(window, options)
          const { user } = await vault(postPasskeySignIn, { body: { response } })
          return { user, key }
        },
        begin: elsewhere ? () => doneElsewhere(window, 'new').then(() => ({})) : begin,
      },
    },
    // What follows may want a screen of its own, so this one is let go of first.
    perform: async (entered: Entered) => entered,
  })
}

async function vaultOf(needs: WalletNeeds, me: VaultMe, brought: UnlockKey | undefined): Promise<UnlockedVault> {
  const { vault: client, store: device, environment } = needs
  const user = me.user.id
  const store = device.vaultStore(user, client)
  const saved = me.record === null ? undefined : readable(me.record)
  if (me.record && !saved) {
    const vault = await restoredHere(needs, me, { brought, record: undefined })
    if (vault) return vault
    const kept = await keptHere(needs, user)
    if (!kept) throw new KeyError('vault/malformed')
    const opened = await openOrRecover(needs, me, kept, brought)
    await putBackAndTell(needs, opened, me.record.version)
    return opened
  }
  const record = await resumeSave(store, { user, saved })
  await mustBeKnown(needs, user, record)
  if (record)
    try {
      return await openOrRecover(needs, me, record, brought)
    } catch (error) {
      // Its key opens, but nobody who had it wrote the rest.
      const vault = isForgery(error) && (await restoredHere(needs, me, { brought, record }))
      if (vault) return vault
      throw error
    }

  // The first login: the vault and the key of this device are made at once; the other keys come later.
  const create = (key: UnlockKey, name: string) => createVault({ user, key, name, environment, store })
  try {
    if (brought) {
      const vault = await create(brought, needs.deviceName)
      await rememberDevice(needs, user, vault).catch(() => undefined)
      return vault
    }
    const made = (await device.available()) ? await device.device(user, true) : undefined
    if (!made) return await startWithout(needs, user, create)
    const vault = await create(
      deviceUnlockKey(made.id, made.secret, await newHalf(needs, user, made)),
      needs.deviceName,
    )
    if (import.meta.env.CUSTODY === 'assisted' && (await needs.assisted?.()))
      await (await import('./assisted.ts')).shareWithOperator(needs, { userId: user, vault })
    return vault
  } catch (error) {
    // Another tab, or another device, was faster: its vault is the one.
    if (!(error instanceof KeyError && error.code === 'vault/conflict')) throw error
    await store.storeDraft(undefined)
    const again = await client(getMe)
    if (again.user.id !== user || !again.record) throw error
    await mustBeKnown(needs, user, parseRecord(again.record.record))
    return openOrRecover(needs, again, parseRecord(again.record.record), brought)
  }
}

/**
 * Throws where this browser has opened another wallet of this account than the server shows now, or the server shows none: a lost or
 * hidden record, or one that somebody put in its place, must not become a new address.
 */
async function mustBeKnown({ store }: WalletNeeds, userId: string, record: VaultRecord | undefined): Promise<void> {
  const known = await store.recall(knownAs(userId))
  if (known !== undefined && known !== record?.wallet)
    throw new Refusal(
      'The server shows another wallet than this browser has opened before. Nothing was changed; your recovery kit still opens yours.',
    )
}

function knownAs(userId: string): string {
  return `wallet:${userId}`
}

/** The first login in a browser that keeps nothing for us: a passkey or a kit is the first key, and opens it each time. */
async function startWithout(
  needs: WalletNeeds,
  userId: string,
  create: (key: UnlockKey, name: string) => Promise<UnlockedVault>,
): Promise<UnlockedVault> {
  const { approvals, environment, window } = needs
  const passkeys = (await needs.passkeys()) && makesPasskeysHere(window)
  return approvals.ask({
    subject: {
      kind: 'start',
      starting: {
        origin: needs.embedder(),
        async makeKit(): Promise<StartKit> {
          const {
            serializeRecoveryKitFile,
            recoveryCodeUnlockKey,
            recoveryCodeQrText,
            formatRecoveryCode,
            generateRecoveryCode,
          } = await import('./keys/recoveryKit.ts')
          const code = generateRecoveryCode(environment)
          return {
            code: formatRecoveryCode(code),
            qr: recoveryCodeQrText(code),
            async start() {
              const vault = await create(await recoveryCodeUnlockKey(environment, code), 'Recovery kit')
              const createdAt = environment.clock.now()
              return {
                vault,
                file: serializeRecoveryKitFile({ createdAt, pageHash: recoveryPage(), record: vault.record }),
              }
            },
          }
        },
        startWithPasskey: passkeys
          ? async () => {
              const { made, key } = await newPasskey(needs)
              const vault = await create(key, needs.deviceName)
              await needs.vault(postPasskey, { body: { userId, name: needs.deviceName, response: made } })
              return vault
            }
          : undefined,
      },
    },
    perform: async (vault: UnlockedVault) => vault,
  })
}

/** A passkey that was just made for whoever is signed in: what the server is told, and what it opens. */
async function newPasskey(needs: WalletNeeds): Promise<{ readonly made: WebAuthnJson; readonly key: UnlockKey }> {
  const { createPasskey } = await import('./keys/passkey.ts')
  const { options } = await needs.vault(postPasskeyOptions)
  const { id, key, response } = await createPasskey(needs.window, options)
  return { made: response, key: key ?? (await passkeyOf(needs, [id])) }
}

function recoveryPage(): string {
  return import.meta.env.RECOVERY_SHA256
}

async function openOrRecover(
  needs: WalletNeeds,
  me: VaultMe,
  record: VaultRecord,
  brought: UnlockKey | undefined,
): Promise<UnlockedVault> {
  const { vault: client, store: device, environment, approvals } = needs
  const user = me.user.id
  const store = device.vaultStore(user, client)
  const open = (key: UnlockKey): Promise<UnlockedVault> => openVault({ user, record, key, environment, store })

  if (brought && record.wrappers.some(({ kind, id }) => kind === brought.kind && id === brought.id)) {
    const vault = await open(brought)
    await rememberDevice(needs, user, vault).catch(() => undefined)
    return vault
  }
  const reason = await openHere(needs, user, record, open)
  if (typeof reason !== 'string') return reason
  const restored = await restoredHere(needs, me, { brought, record })
  if (restored) return restored
  if (import.meta.env.CUSTODY === 'assisted') {
    const key = await (await import('./assisted.ts')).operatorKey(needs, { userId: user, record })
    if (key) {
      const vault = await open(key)
      await rememberDevice(needs, user, vault).catch(() => undefined)
      return vault
    }
  }
  const wrappers = await knownWrappers(needs, { user, record })
  const ids = [...new Set(wrappers.filter(({ kind }) => kind === 'passkey').map(({ id }) => id))]
  const openWith = async (key: UnlockKey): Promise<UnlockedVault> => {
    try {
      return await open(key)
    } catch (error) {
      const vault = isForgery(error) && (await restoredHere(needs, me, { brought: key, record }))
      if (vault) return vault
      throw error
    }
  }
  return approvals.ask({
    subject: {
      kind: 'recover',
      recovering: {
        origin: needs.embedder(),
        email: me.user.email,
        address: record.addresses.eip155,
        kinds: getProtection({ wrappers }).kinds,
        because: reason,
        async openWithKit(typed) {
          const { recoveryCodeUnlockKey, parseRecoveryCode } = await import('./keys/recoveryKit.ts')
          const read = parseRecoveryCode(typed)
          if (!('code' in read)) throw new KitSlipError(read)
          return openWith(await recoveryCodeUnlockKey(environment, read.code))
        },
        openWithPasskey: ids.length > 0 ? async () => openWith(await passkeyOf(needs, ids)) : undefined,
        async openWithDevice({ signal, asked, compare }) {
          const [{ askTransfer }, { openWithVaultKey }] = await Promise.all([
            import('./transfer.ts'),
            import('./keys/openVault.ts'),
          ])
          const asking = { subject: record, name: needs.deviceName, asked }
          const vaultKey = await askTransfer({ vault: client, environment, signal, compare }, asking)
          // The other device may have changed the keys while it was asked.
          const now = (await client(getMe)).record
          const newest = now === null ? record : parseRecord(now.record)
          return openWithVaultKey({ user, record: newest, vaultKey, environment, store })
        },
      },
    },
    // What the visitor brought was tried before the screen let go of it.
    perform: async (vault: UnlockedVault) => {
      // A help for next time; whoever refuses to store it does not lose the vault.
      await rememberDevice(needs, user, vault).catch(() => undefined)
      return vault
    },
  })
}

/** The key that one of these passkeys gives, asked for here: who signs in has done so already. */
async function passkeyOf({ window, environment }: WalletNeeds, ids: readonly string[]): Promise<UnlockKey> {
  const { getPasskey, prfRequestOptions } = await import('./keys/passkey.ts')
  const { key } = await getPasskey(window, prfRequestOptions(environment, ids))
  if (!key) throw new Refusal('This passkey cannot open a wallet')
  return key
}

function protectingOf(
  needs: WalletNeeds,
  { userId, vault, passkeys }: { userId: string; vault: UnlockedVault; passkeys: boolean },
): Protecting {
  const { environment, window } = needs
  return {
    async makeKit() {
      const {
        serializeRecoveryKitFile,
        recoveryCodeUnlockKey,
        recoveryCodeQrText,
        formatRecoveryCode,
        generateRecoveryCode,
      } = await import('./keys/recoveryKit.ts')
      const code = generateRecoveryCode(environment)
      return {
        code: formatRecoveryCode(code),
        qr: recoveryCodeQrText(code),
        async keep() {
          const key = await recoveryCodeUnlockKey(environment, code)
          await vault.addWrapper(key, 'Recovery kit')
          return serializeRecoveryKitFile({
            createdAt: environment.clock.now(),
            pageHash: recoveryPage(),
            record: vault.record,
          })
        },
      }
    },
    get elsewhere() {
      return !makesPasskeysHere(window)
    },
    addPasskey: passkeys
      ? async () => {
          if (!makesPasskeysHere(window)) {
            await doneElsewhere(window, 'passkey')
            const { record } = await needs.vault(getMe)
            if (record) await vault.adoptRecord(record.record)
            return
          }
          const { made, key } = await newPasskey(needs)
          // The vault first: a passkey that only signs in would open nothing.
          await vault.addWrapper(key, needs.deviceName)
          await needs.vault(postPasskey, { body: { userId, name: needs.deviceName, response: made } })
        }
      : undefined,
  }
}

/** What is wrong with a recovery code as it was typed. */
export class KitSlipError extends Error {
  readonly slip: RecoveryCodeError
  constructor(slip: RecoveryCodeError) {
    super(slip.error)
    this.slip = slip
  }
}

/** The vault opened with this device's own key, or why that is not possible. */
async function openHere(
  needs: WalletNeeds,
  user: string,
  record: VaultRecord,
  open: (key: UnlockKey) => Promise<UnlockedVault>,
): Promise<UnlockedVault | Recovering['because']> {
  if (!(await needs.store.available())) return 'no-storage'
  const found = await needs.store.device(user, false)
  if (!found) return 'new-device'
  if (!record.wrappers.some(({ kind, id }) => kind === 'device' && id === found.id)) return 'removed'
  try {
    const { serverHalf } = await needs.vault(postDeviceHalf, { params: { id: found.id } })
    return await open(deviceUnlockKey(found.id, found.secret, bytesOf(serverHalf)))
  } catch (error) {
    if (isVaultFailure(error, 'device/revoked', 'device/unknown', 'device/other-browser')) return 'removed'
    if (error instanceof KeyError && error.code === 'wrapper/does-not-open') return 'lost'
    throw error
  }
}

/** Makes this device one of the keys of an open vault. */
async function rememberDevice(needs: WalletNeeds, user: string, vault: UnlockedVault): Promise<void> {
  if (!(await needs.store.available())) return
  const old = await needs.store.device(user, false)
  if (old && vault.record.wrappers.some(({ id }) => id === old.id)) return
  await needs.store.forgetDevice(user)
  const made = await needs.store.device(user, true)
  if (!made) return
  await vault.addWrapper(deviceUnlockKey(made.id, made.secret, await newHalf(needs, user, made)), needs.deviceName)
}

async function newHalf({ vault, deviceName }: WalletNeeds, userId: string, { id }: ThisDevice): Promise<Bytes> {
  const { serverHalf } = await vault(postDevice, { body: { userId, deviceId: id, name: deviceName } })
  return bytesOf(serverHalf)
}

function bytesOf(text: string): Bytes {
  // The contract has read it as base64url.
  return new Uint8Array(fromBase64Url(text) ?? [])
}
