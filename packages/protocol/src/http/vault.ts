import * as v from 'valibot'
import { isPlainJson, isPlainText, plainText } from '../text.ts'

// What the key frame and the server of its own origin say to each other. Every call is same-origin, carries the cookies
// of that origin and nothing else; the server refuses what a page of any other origin sends. Words are ours.

/** One call of the frame: what frame and server have agreed on. */
export interface VaultCall<Body = undefined, Answer = unknown> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** From the root of the keys origin; `:name` stands for a parameter. */
  readonly path: string
  /** Reads a body; absent where there is none. */
  readonly body?: v.GenericSchema<unknown, Body>
  /** Reads the answer of a call that went well. */
  readonly answer: v.GenericSchema<unknown, Answer>
}

// --- Pieces --------------------------------------------------------------------------------------------------------

/** The longest sealed record, in characters: a vault with some fifty wrappers is a tenth of it. */
export const maxRecordBytes = 65_536

/** How long a code or an approval link lives. */
export const codeLifeMs: number = 10 * 60_000

/** How many times a code may be tried. */
export const codeTries = 5

// The page of the keys origin where owners look after their wallet. It stands alone: no page may have it in a frame.
export { approvalPath, walletPath } from '../frame/frameMethods.ts'

/**
 * The name in `Server-Timing` under which the server says how a page of the keys origin was navigated to: `owner` for an address that was
 * typed, scanned or kept, `frame` for a window that a document of the keys origin itself opened, `page` for everything that another page
 * began. Browsers that tell the server nothing leave it out.
 */
export const arrivalTiming = 'arrival'

/** How long to wait before the same frame may ask for another code. */
export const resendAfterMs = 30_000

/* @__NO_SIDE_EFFECTS__ */
const text = (most: number) => v.pipe(plainText(most), v.nonEmpty())
/* @__NO_SIDE_EFFECTS__ */
const listOf = <Item>(item: v.GenericSchema<unknown, Item>) => v.pipe(v.array(item), v.maxLength(1000))

const id = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/))
/** Milliseconds since 1970. */
const time = v.pipe(v.number(), v.integer(), v.minValue(0))
const otp = v.pipe(v.string(), v.regex(/^\d{6}$/))
/** Base64url, whatever it holds. */
const bytes = v.pipe(v.string(), v.regex(/^[\w-]{1,16384}$/))
const half = v.pipe(v.string(), v.regex(/^[\w-]{43}$/))
const address = v.pipe(plainText(254), v.trim(), v.regex(/^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/))
const name = v.pipe(text(64), v.trim(), v.nonEmpty())
const nothing: v.GenericSchema<unknown, Nothing> = v.object({})
/** Reads how a visitor is called by identification, where that is switched on. */
export const visitorId: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.regex(/^[\w.:-]{1,128}$/))

/** The answer of a call that only had to happen. */
export type Nothing = Readonly<Record<never, never>>

/** The social providers with a log-in of their own. */
export const socialProviders = ['google', 'github', 'apple', 'facebook', 'x', 'discord'] as const

/** A social provider; Farcaster has calls of its own. */
export type SocialProvider = (typeof socialProviders)[number]

// --- Failures ------------------------------------------------------------------------------------------------------

/** Every way a call can fail, and the HTTP status it has then. */
export const vaultFailures = {
  /** The body is not what was agreed. */
  'input/invalid': 400,
  'email/invalid': 400,
  /** Asked again within 30 s; `seconds` says how long to wait. */
  'email/throttled': 429,
  /** A limit per mail, per address, per account or in all; `seconds` says how long to wait. */
  'limit/reached': 429,
  /** `triesLeft` says how often it may still be tried. */
  'code/wrong': 422,
  /** No code waits for this frame: never asked for, too old, used, or tried too often. */
  'code/expired': 410,
  /** Nobody is signed in. */
  'session/none': 401,
  /** Signed in too long ago for this: sign in again. */
  'session/stale': 403,
  /** Another account is signed in than the one the frame thinks of: it has to forget what it holds. */
  'session/other-account': 409,
  /** Somebody else wrote in between; `version` is the one there is now. */
  'record/conflict': 409,
  'record/too-large': 413,
  'device/unknown': 404,
  /** The half of this device was erased, for good. */
  'device/revoked': 410,
  /** The half belongs to another browser than the one that asks. */
  'device/other-browser': 403,
  'approval/expired': 410,
  /** Never offered, taken back, answered, or too old. */
  'handover/unknown': 404,
  /** The question was claimed by another window, or is being done. */
  'handover/taken': 409,
  'transfer/unknown': 404,
  /** Asked for not long enough ago for a device that was opened with a code by mail; `seconds` says how long to wait. */
  'transfer/held': 403,
  /** The step was taken already, or is not the next one. */
  'transfer/out-of-turn': 409,
  'social/unknown-provider': 404,
  /** The person said no at the provider. */
  'social/declined': 422,
  'social/failed': 422,
  'passkey/refused': 422,
  'passkey/unavailable': 404,
  'farcaster/unavailable': 404,
  'farcaster/failed': 422,
  /** Mail could not be handed over; nothing was sent. */
  'mail/failed': 503,
  /** Not the frame of this very origin. */
  'origin/refused': 403,
  'path/unknown': 404,
  'server/failed': 500,
  /** A store or a node is away, or too much is asked for at once; `seconds` says when to try again. */
  'server/unavailable': 503,
} as const satisfies Readonly<Record<string, number>>

/** The name of a failure. */
export type VaultFailureCode = keyof typeof vaultFailures

/** How the server says no to a frame. */
export interface VaultFailure {
  readonly code: VaultFailureCode
  /** For a developer. */
  readonly message: string
  readonly seconds?: number | undefined
  readonly triesLeft?: number | undefined
  readonly version?: number | undefined
}

/** Reads a refusal. */
export const vaultFailure: v.GenericSchema<unknown, VaultFailure> = v.object({
  code: v.picklist(Object.keys(vaultFailures) as VaultFailureCode[]),
  message: plainText(1000),
  seconds: v.optional(time),
  triesLeft: v.optional(time),
  version: v.optional(time),
})

// --- What there is -------------------------------------------------------------------------------------------------

/** Whoever is signed in. */
export interface VaultUser {
  readonly id: string
  /** `null` where a provider gave none that it vouches for. */
  readonly email: string | null
  /** As a provider knows the person. */
  readonly userName: string | null
  readonly createdAt: number
}

const user: v.GenericSchema<unknown, VaultUser> = v.object({
  id,
  email: v.nullable(address),
  userName: v.nullable(plainText(200)),
  createdAt: time,
})

/** The sealed vault and its wrappers as the frame wrote them. The server reads nothing of it. */
export interface VaultRecord {
  readonly record: string
  /** 1 when first written, then one more each time. */
  readonly version: number
  readonly updatedAt: number
}

const record: v.GenericSchema<unknown, VaultRecord> = v.object({
  record: text(maxRecordBytes),
  version: v.pipe(time, v.minValue(1)),
  updatedAt: time,
})

/** A device that can open the vault with a half of the server. */
export interface VaultDevice {
  readonly id: string
  readonly name: string
  readonly publicKey: string | null
  readonly createdAt: number
  /** When its half was last given out. */
  readonly lastUsedAt: number
  readonly revokedAt: number | null
  /** Whether it is the browser that asks. */
  readonly isThis: boolean
}

const device: v.GenericSchema<unknown, VaultDevice> = v.object({
  id,
  name: plainText(64),
  publicKey: v.nullable(bytes),
  createdAt: time,
  lastUsedAt: time,
  revokedAt: v.nullable(time),
  isThis: v.boolean(),
})

/** A passkey that signs in to the account. */
export interface VaultPasskey {
  /** The credential id, base64url. */
  readonly id: string
  readonly name: string
  readonly createdAt: number
  readonly lastUsedAt: number | null
}

const passkey: v.GenericSchema<unknown, VaultPasskey> = v.object({
  id: v.pipe(v.string(), v.regex(/^[\w-]{1,1400}$/)),
  name: plainText(64),
  createdAt: time,
  lastUsedAt: v.nullable(time),
})

// --- The server itself ---------------------------------------------------------------------------------------------

/** What the operator has set, as far as the frame must know. */
export interface VaultConfig {
  /** Who can open a vault: `self` means that only its owner can. */
  readonly custody: 'self' | 'assisted'
  /** Pages that may embed the frame, as origin patterns; pages of this machine may always. */
  readonly origins: readonly string[]
  readonly social: readonly SocialProvider[]
  readonly farcaster: boolean
  /** Not where the keys host is plain `localhost`, whose passkeys every page of that machine could ask for. */
  readonly passkeys: boolean
  /** CAIP-2 of the networks behind `/vault/rpc`. */
  readonly networks: readonly string[]
  /** CAIP-2 of those with a bundler: there an account may be a contract. */
  readonly bundlers: readonly string[]
  /** CAIP-2 of those on which the operator pays fees, for whom and how often its policy says. */
  readonly sponsored: readonly string[]
  /** Origins of the paymaster services that a page may name (ERC-7677). */
  readonly paymasters: readonly string[]
  /** Whether pages may be given permissions to sign within limits; absent is no. */
  readonly smartSessions?: boolean | undefined
  /** The origin of visitor identification; absent where it is off, as it is unless an operator wants it. */
  readonly identify?: string | undefined
}

/** `GET /vault/config`. */
export const getVaultConfig: VaultCall<undefined, VaultConfig> = {
  method: 'GET',
  path: '/vault/config',
  answer: v.object({
    custody: v.picklist(['self', 'assisted']),
    origins: listOf(text(300)),
    social: listOf(v.picklist(socialProviders)),
    farcaster: v.boolean(),
    passkeys: v.boolean(),
    networks: listOf(text(64)),
    bundlers: listOf(text(64)),
    sponsored: listOf(text(64)),
    paymasters: listOf(text(300)),
    smartSessions: v.optional(v.boolean()),
    identify: v.optional(text(300)),
  }),
}

/** `POST /vault/rpc?chainId=eip155:1`: JSON-RPC for what the frame shows and signs, never through the page's node. */
export const vaultRpcPath = '/vault/rpc'

/** `POST /vault/bundler?chainId=eip155:1`: JSON-RPC of the network's bundler (ERC-4337). What costs something, for whoever is signed in. */
export const vaultBundlerPath = '/vault/bundler'

/** What may be asked of a bundler. The last one is what some of them want fees to be taken from. */
export const bundlerMethods = [
  'eth_sendUserOperation',
  'eth_estimateUserOperationGas',
  'eth_getUserOperationReceipt',
  'eth_getUserOperationByHash',
  'eth_supportedEntryPoints',
  'pimlico_getUserOperationGasPrice',
] as const

/**
 * `POST /vault/paymaster?chainId=eip155:1&page=<origin>`: JSON-RPC of the operator's paymaster (ERC-7677), for whoever is signed in, as
 * far as its policy goes. With `&url=` of the paymaster that the page has named, where the operator lets it.
 */
export const vaultPaymasterPath = '/vault/paymaster'

/** What may be asked of a paymaster. */
export const paymasterMethods = ['pm_getPaymasterStubData', 'pm_getPaymasterData'] as const

// --- E-mail --------------------------------------------------------------------------------------------------------

/**
 * `POST /vault/email`: mails a code, or a link to approve this browser with. The answer is the same whether or not there
 * is such an account. `CONNECT` where this very address is signed in already, unless `again`: whoever is there must
 * show it anew then.
 */
export const postEmail: VaultCall<
  { readonly email: string; readonly again?: boolean | undefined; readonly visitorId?: string | undefined },
  { readonly action: 'VERIFY_OTP' | 'VERIFY_DEVICE' | 'CONNECT' }
> = {
  method: 'POST',
  path: '/vault/email',
  body: v.object({ email: address, again: v.optional(v.boolean()), visitorId: v.optional(visitorId) }),
  answer: v.object({ action: v.picklist(['VERIFY_OTP', 'VERIFY_DEVICE', 'CONNECT']) }),
}

/**
 * `POST /vault/email/device`: waits up to 25 s for the link to be followed. `approved`: a code was mailed, and is so once,
 * however often this is asked. `waiting`: ask again.
 */
export const postEmailDevice: VaultCall<undefined, { readonly status: 'approved' | 'waiting' }> = {
  method: 'POST',
  path: '/vault/email/device',
  answer: v.object({ status: v.picklist(['approved', 'waiting']) }),
}

/** `POST /vault/email/code`: signs in. Only in the frame session that asked for the code. */
export const postEmailCode: VaultCall<{ readonly otp: string }, { readonly user: VaultUser }> = {
  method: 'POST',
  path: '/vault/email/code',
  body: v.object({ otp }),
  answer: v.object({ user }),
}

/** `POST /vault/email/change`: a code to the present address first, where there is one. */
export const postEmailChange: VaultCall<
  { readonly email: string },
  { readonly action: 'VERIFY_PRIMARY_OTP' | 'VERIFY_SECONDARY_OTP' }
> = {
  method: 'POST',
  path: '/vault/email/change',
  body: v.object({ email: address }),
  answer: v.object({ action: v.picklist(['VERIFY_PRIMARY_OTP', 'VERIFY_SECONDARY_OTP']) }),
}

/** `POST /vault/email/change/primary`: the code from the present address; then one goes to the new address. */
export const postEmailChangePrimary: VaultCall<{ readonly otp: string }, Nothing> = {
  method: 'POST',
  path: '/vault/email/change/primary',
  body: v.object({ otp }),
  answer: nothing,
}

/** `POST /vault/email/change/secondary`: the code from the new address; then it is the account's. */
export const postEmailChangeSecondary: VaultCall<{ readonly otp: string }, { readonly newEmail: string }> = {
  method: 'POST',
  path: '/vault/email/change/secondary',
  body: v.object({ otp }),
  answer: v.object({ newEmail: address }),
}

// --- The account ---------------------------------------------------------------------------------------------------

/** Account, vault and devices. */
export interface VaultMe {
  readonly user: VaultUser
  /** `null`: this account has no vault yet. */
  readonly record: VaultRecord | null
  readonly devices: readonly VaultDevice[]
  readonly passkeys: readonly VaultPasskey[]
  /** When the sign-in began. */
  readonly since: number
  /** When the sign-in ends. */
  readonly expiresAt: number
  /** The server's time: what a frame counts by, whatever its device's clock says. Absent where an older server answers. */
  readonly now?: number | undefined
}

/** `GET /vault/me`; `session/none` when nobody is signed in. */
export const getMe: VaultCall<undefined, VaultMe> = {
  method: 'GET',
  path: '/vault/me',
  answer: v.object({
    user,
    record: v.nullable(record),
    devices: listOf(device),
    passkeys: listOf(passkey),
    since: time,
    expiresAt: time,
    now: v.optional(time),
  }),
}

/** `PUT /vault/record`: replaces version `expectedVersion` (0: there is none yet) by the next one. */
export const putRecord: VaultCall<
  {
    /** Whose vault the frame thinks it writes: two tabs share one sign-in. */
    readonly userId: string
    readonly record: string
    readonly expectedVersion: number
  },
  { readonly version: number }
> = {
  method: 'PUT',
  path: '/vault/record',
  body: v.object({ userId: id, record: v.pipe(v.string(), v.nonEmpty(), v.check(isPlainText)), expectedVersion: time }),
  answer: v.object({ version: time }),
}

/** `POST /vault/sign-out`: ends this sign-in. Answers well also when there was none. */
export const postSignOut: VaultCall<undefined, Nothing> = { method: 'POST', path: '/vault/sign-out', answer: nothing }

/** `POST /vault/sign-out/everywhere`: ends every sign-in of the account, this one too. */
export const postSignOutEverywhere: VaultCall<undefined, Nothing> = {
  method: 'POST',
  path: '/vault/sign-out/everywhere',
  answer: nothing,
}

/** Something that happened to the account, as its owner may read it. */
export interface AuditEntry {
  readonly at: number
  readonly event: AuditEvent
  /** The device, passkey or provider it was about. */
  readonly about: string | null
  /** From where: the kind of browser and system, as it calls itself. Addresses of visitors are not kept. */
  readonly place: string | null
}

/** What is written down. */
export const auditEvents = [
  'account-made',
  'signed-in-by-email',
  'signed-in-by-social',
  'signed-in-by-passkey',
  'signed-in-by-farcaster',
  'signed-out',
  'signed-out-everywhere',
  'code-refused',
  'device-approved',
  'device-added',
  'device-removed',
  'half-given',
  'half-refused',
  'vault-made',
  'vault-changed',
  'passkey-added',
  'passkey-removed',
  'email-change-asked',
  'email-changed',
  'transfer-asked',
  'transfer-sealed',
  'transfer-refused',
] as const

/** One of the things that are written down. */
export type AuditEvent = (typeof auditEvents)[number]

/** `GET /vault/audit`: the last two hundred entries, the newest first. */
export const getAudit: VaultCall<undefined, { readonly entries: readonly AuditEntry[] }> = {
  method: 'GET',
  path: '/vault/audit',
  answer: v.object({
    entries: listOf(
      v.object({
        at: time,
        event: v.picklist(auditEvents),
        about: v.nullable(plainText(200)),
        place: v.nullable(plainText(64)),
      }),
    ),
  }),
}

// --- Devices -------------------------------------------------------------------------------------------------------

/**
 * `POST /vault/devices`: makes the server's half for this browser, which alone will get it. Within ten minutes of signing
 * in, else `session/stale`. The same `deviceId` again answers with the same half.
 */
export const postDevice: VaultCall<
  {
    readonly userId: string
    /** Chosen by the frame. */
    readonly deviceId: string
    readonly name: string
    readonly publicKey?: string | undefined
  },
  {
    /** 32 bytes, base64url. */
    readonly serverHalf: string
  }
> = {
  method: 'POST',
  path: '/vault/devices',
  body: v.object({ userId: id, deviceId: id, name, publicKey: v.optional(bytes) }),
  answer: v.object({ serverHalf: half }),
}

/** `POST /vault/devices/:id/half`: the server's half for this device, once more. */
export const postDeviceHalf: VaultCall<undefined, { readonly serverHalf: string }> = {
  method: 'POST',
  path: '/vault/devices/:id/half',
  answer: v.object({ serverHalf: half }),
}

/** `GET /vault/devices`. */
export const getDevices: VaultCall<undefined, { readonly devices: readonly VaultDevice[] }> = {
  method: 'GET',
  path: '/vault/devices',
  answer: v.object({ devices: listOf(device) }),
}

/** `DELETE /vault/devices/:id`: erases its half for good and ends its sign-ins. */
export const deleteDevice: VaultCall<undefined, Nothing> = {
  method: 'DELETE',
  path: '/vault/devices/:id',
  answer: nothing,
}

// --- From device to device -----------------------------------------------------------------------------------------

/**
 * A vault key on its way from a device that has it to one that has not, sealed for the new one.
 *
 * The new device commits to its key (`commitment`, a hash), the old one answers with its own (`offer`), the new one opens
 * its commitment (`reveal`); both then show words made of both keys, and only after they were compared the old device
 * sends the key (`sealed`). Without the commitment a server in the middle could look for keys whose words agree.
 */
export interface VaultTransfer {
  readonly id: string
  /** What the new device calls itself. */
  readonly name: string
  readonly commitment: string
  readonly offer: string | null
  readonly reveal: string | null
  readonly sealed: string | null
  readonly createdAt: number
  readonly expiresAt: number
  /** Whether this browser asked for it: it is the new device. */
  readonly isMine: boolean
  /** Until then it is let in only by a device that was opened with a passkey or the recovery kit; absent where nothing is waited for. */
  readonly heldUntil?: number | undefined
}

const transfer: v.GenericSchema<unknown, VaultTransfer> = v.object({
  id,
  name: plainText(64),
  commitment: bytes,
  offer: v.nullable(bytes),
  reveal: v.nullable(bytes),
  sealed: v.nullable(bytes),
  createdAt: time,
  expiresAt: time,
  isMine: v.boolean(),
  heldUntil: v.optional(time),
})

/** `POST /vault/transfers`: from the new device, within ten minutes of signing in. The one before is forgotten. */
export const postTransfer: VaultCall<
  { readonly name: string; readonly commitment: string },
  { readonly transfer: VaultTransfer }
> = {
  method: 'POST',
  path: '/vault/transfers',
  body: v.object({ name, commitment: bytes }),
  answer: v.object({ transfer }),
}

/** `GET /vault/transfers`: those that wait, for an old device to find. */
export const getTransfers: VaultCall<undefined, { readonly transfers: readonly VaultTransfer[] }> = {
  method: 'GET',
  path: '/vault/transfers',
  answer: v.object({ transfers: listOf(transfer) }),
}

/** The steps of a transfer, in their order. `offer` and `sealed` are the old device's, `reveal` is the new one's. */
export const transferSteps = ['offer', 'reveal', 'sealed'] as const

/** A step of a transfer. */
export type TransferStep = (typeof transferSteps)[number]

/** `GET /vault/transfers/:id/after/:steps`: waits up to 25 s until more than `steps` steps are taken (0 to 3). */
export const getTransfer: VaultCall<undefined, { readonly transfer: VaultTransfer }> = {
  method: 'GET',
  path: '/vault/transfers/:id/after/:steps',
  answer: v.object({ transfer }),
}

/** `POST /vault/transfers/:id/:step`: takes the next step. */
export const postTransferStep: VaultCall<
  {
    readonly value: string
    /** What the old device was opened with for this request, said with `offer`; without it, a code by mail is assumed. */
    readonly openedWith?: 'key' | 'code' | undefined
  },
  { readonly transfer: VaultTransfer }
> = {
  method: 'POST',
  path: '/vault/transfers/:id/:step',
  body: v.object({ value: bytes, openedWith: v.optional(v.picklist(['key', 'code'])) }),
  answer: v.object({ transfer }),
}

/** `DELETE /vault/transfers/:id`: from either device. The other one finds that there is no such transfer any more. */
export const deleteTransfer: VaultCall<undefined, Nothing> = {
  method: 'DELETE',
  path: '/vault/transfers/:id',
  answer: nothing,
}

// --- Social --------------------------------------------------------------------------------------------------------

/**
 * The name of the BroadcastChannel between the frame and the popups of its origin. A popup at `popupPath` says
 * `{ waiting: true }` until the frame tells it where to go, and `going` before it goes there; the one that comes back from the provider
 * says `resultUri`.
 * A page under COOP has lost the popup by then, and a page without it cannot read what is said here.
 */
export const popupChannel = 'latchkey-popup'

/** The page of the keys origin that a popup is opened with, before it is known where it goes. */
export const popupPath = '/loading'

/** What is said on the channel. */
export type PopupMessage =
  | { readonly waiting: true }
  | { readonly uri: string }
  | { readonly going: string }
  /** A page of the keys origin; worth nothing but to the frame session that began. Also told to the opener, if allowed. */
  | { readonly resultUri: string }

/** Reads what is said on the channel. */
export const popupMessage: v.GenericSchema<unknown, PopupMessage> = v.union([
  v.object({ waiting: v.literal(true) }),
  v.object({ uri: text(8192) }),
  v.object({ going: text(8192) }),
  v.object({ resultUri: text(2048) }),
])

/** `POST /vault/social/:provider`: where the popup goes. */
export const postSocial: VaultCall<
  {
    /** The embedding page's origin, as the browser told it to the frame: the one opener that is answered. */
    readonly opener?: string | undefined
    /** A window of this origin goes there itself, and is led back to `/continue` with `result_uri`. */
    readonly window?: boolean | undefined
  },
  { readonly uri: string }
> = {
  method: 'POST',
  path: '/vault/social/:provider',
  body: v.object({ opener: v.optional(text(300)), window: v.optional(v.boolean()) }),
  answer: v.object({ uri: text(8192) }),
}

/** `GET /vault/social/callback/:provider`: what is registered with the providers. Ends on a page, for the popup only. */
export const socialCallbackPath = '/vault/social/callback/:provider'

/** `GET /vault/social/done`: the page that a `resultUri` names. Its `error` is one of the failures above. */
export const socialDonePath = '/vault/social/done'

/** `POST /vault/social/finish`: signs in. Once, and only in the frame session that began. */
export const postSocialFinish: VaultCall<
  { readonly resultUri: string },
  { readonly user: VaultUser; readonly userName: string | null; readonly provider: SocialProvider }
> = {
  method: 'POST',
  path: '/vault/social/finish',
  body: v.object({ resultUri: text(2048) }),
  answer: v.object({
    user,
    userName: v.nullable(plainText(200)),
    provider: v.picklist(socialProviders),
  }),
}

// --- Passkeys ------------------------------------------------------------------------------------------------------

/** What WebAuthn takes and gives as JSON. The browser and the server's verifier know its shape; the frame passes it on. */
export type WebAuthnJson = Readonly<Record<string, unknown>>

const webAuthnJson: v.GenericSchema<unknown, WebAuthnJson> = v.pipe(
  v.record(v.string(), v.unknown()),
  v.check((json) => isPlainJson(json)),
)

/** `POST /vault/passkeys/options`: for `PublicKeyCredential.parseCreationOptionsFromJSON`. Within ten minutes of signing in. */
export const postPasskeyOptions: VaultCall<undefined, { readonly options: WebAuthnJson }> = {
  method: 'POST',
  path: '/vault/passkeys/options',
  answer: v.object({ options: webAuthnJson }),
}

/** `POST /vault/passkeys`: `credential.toJSON()`. */
export const postPasskey: VaultCall<
  { readonly userId: string; readonly name: string; readonly response: WebAuthnJson },
  { readonly passkey: VaultPasskey }
> = {
  method: 'POST',
  path: '/vault/passkeys',
  body: v.object({ userId: id, name, response: webAuthnJson }),
  answer: v.object({ passkey }),
}

/** `DELETE /vault/passkeys/:id`. */
export const deletePasskey: VaultCall<undefined, Nothing> = {
  method: 'DELETE',
  path: '/vault/passkeys/:id',
  answer: nothing,
}

/** `POST /vault/passkeys/sign-in/options`: for `PublicKeyCredential.parseRequestOptionsFromJSON`; any known passkey. */
export const postPasskeySignInOptions: VaultCall<undefined, { readonly options: WebAuthnJson }> = {
  method: 'POST',
  path: '/vault/passkeys/sign-in/options',
  answer: v.object({ options: webAuthnJson }),
}

/** `POST /vault/passkeys/sign-in`: signs in with a passkey that an account knows. */
export const postPasskeySignIn: VaultCall<{ readonly response: WebAuthnJson }, { readonly user: VaultUser }> = {
  method: 'POST',
  path: '/vault/passkeys/sign-in',
  body: v.object({ response: webAuthnJson }),
  answer: v.object({ user }),
}

/** `POST /vault/passkeys/account/options`: the same for somebody who has no account yet, and needs no sign-in. */
export const postPasskeyAccountOptions: VaultCall<undefined, { readonly options: WebAuthnJson }> = {
  method: 'POST',
  path: '/vault/passkeys/account/options',
  answer: v.object({ options: webAuthnJson }),
}

/** `POST /vault/passkeys/account`: makes an account that this passkey alone signs in to, and signs in. */
export const postPasskeyAccount: VaultCall<
  { readonly name: string; readonly response: WebAuthnJson },
  { readonly user: VaultUser }
> = {
  method: 'POST',
  path: '/vault/passkeys/account',
  body: v.object({ name, response: webAuthnJson }),
  answer: v.object({ user }),
}

// --- Farcaster -----------------------------------------------------------------------------------------------------

/** `POST /vault/farcaster`: a link for the Farcaster app, for a QR code; the same one while it lives. */
export const postFarcaster: VaultCall<undefined, { readonly url: string }> = {
  method: 'POST',
  path: '/vault/farcaster',
  answer: v.object({ url: text(2048) }),
}

/** `POST /vault/farcaster/finish`: waits up to 25 s; signs in when the person agreed. May be asked many times over. */
export const postFarcasterFinish: VaultCall<
  undefined,
  { readonly status: 'waiting' } | { readonly status: 'done'; readonly user: VaultUser; readonly userName: string }
> = {
  method: 'POST',
  path: '/vault/farcaster/finish',
  answer: v.union([
    v.object({ status: v.literal('waiting') }),
    v.object({ status: v.literal('done'), user, userName: text(200) }),
  ]),
}

// --- What a browser is called --------------------------------------------------------------------------------------

const browsers = /Firefox|Edg|OPR|Chrome|Safari/
const systems = /Android|iPhone|iPad|Windows|Mac OS X|CrOS|Linux/
const browserNames: Readonly<Record<string, string>> = {
  Edg: 'Edge',
  OPR: 'Opera',
  'Mac OS X': 'Mac',
  CrOS: 'ChromeOS',
}

/** What a browser is called in its owner's lists: `Chrome on Linux`, as far as its user agent says. */
export function browserName(userAgent: string): string {
  const browser = browsers.exec(userAgent.replace(/Chrome.*(Edg|OPR)/, '$1'))?.[0] ?? 'Browser'
  const system = systems.exec(userAgent)?.[0]
  return [browserNames[browser] ?? browser, system && (browserNames[system] ?? system)].filter(Boolean).join(' on ')
}
