import * as v from 'valibot'
import { isPlainJson, isPlainText, plainText } from '../plainText.ts'
import { defineEndpoint, type Endpoint } from './endpoint.ts'

// The endpoints used by the key frame on the server of its own origin. All requests are same-origin and authenticated by that origin's
// cookies only. The server refuses requests from pages of other origins. The names are Latchkey's own.

// --- Helpers -------------------------------------------------------------------------------------------------------

/** Maximum length of a sealed record, in characters. A vault with about fifty wrappers uses a tenth of it. */
export const maxRecordBytes = 65_536

/** Lifetime of a code or an approval link, in milliseconds. */
export const codeLifeMs: number = 10 * 60_000

/** Maximum number of attempts to enter a code. */
export const codeTries = 5

// The page of the keys origin where users manage their wallet. It cannot be embedded in a frame.
export { approvalPath, walletPath } from '../frame/frameMethods.ts'

/**
 * The name of the `Server-Timing` metric that indicates how a page of the keys origin was opened: `owner` if the URL was typed, scanned or
 * bookmarked, `frame` for a window opened by a document of the keys origin, `page` for navigation started by any other page. Absent if the browser
 * does not report it.
 */
export const arrivalTiming = 'arrival'

/** Minimum time before the same frame can request another code, in milliseconds. */
export const resendAfterMs = 30_000

/* @__NO_SIDE_EFFECTS__ */
const text = (max: number) => v.pipe(plainText(max), v.nonEmpty())
/* @__NO_SIDE_EFFECTS__ */
const listOf = <Item>(item: v.GenericSchema<unknown, Item>) => v.pipe(v.array(item), v.maxLength(1000))

const id = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/))
/** Epoch milliseconds. */
const time = v.pipe(v.number(), v.integer(), v.minValue(0))
const otp = v.pipe(v.string(), v.regex(/^\d{6}$/))
/** Base64url of any content. */
const bytes = v.pipe(v.string(), v.regex(/^[\w-]{1,16384}$/))
const half = v.pipe(v.string(), v.regex(/^[\w-]{43}$/))
const address = v.pipe(plainText(254), v.trim(), v.regex(/^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/))
const name = v.pipe(text(64), v.trim(), v.nonEmpty())
const nothing: v.GenericSchema<unknown, Nothing> = v.object({})
/** A schema for the visitor ID, used if visitor identification is enabled. */
export const visitorId: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.regex(/^[\w.:-]{1,128}$/))

/** The response of an endpoint that returns no data. */
export type Nothing = Readonly<Record<never, never>>

/** The social providers that use the popup login. */
export const socialProviders = ['google', 'github', 'apple', 'facebook', 'x', 'discord'] as const

/** A social provider. Farcaster has its own endpoints. */
export type SocialProvider = (typeof socialProviders)[number]

// --- Errors --------------------------------------------------------------------------------------------------------

/** The error codes and their HTTP status. */
export const vaultFailures = {
  /** The body does not match the schema. */
  'input/invalid': 400,
  /** The text is not an email address, or is already the address of the account. */
  'email/invalid': 400,
  /** Requested again within 30 s. `seconds` is the remaining time. */
  'email/throttled': 429,
  /** A limit per email, address, account or in total. `seconds` is the remaining time. */
  'limit/reached': 429,
  /** `triesLeft` is the number of remaining attempts. */
  'code/wrong': 422,
  /** No code is pending for this frame: never requested, expired, used, or tried too often. */
  'code/expired': 410,
  /** No user is signed in. */
  'session/none': 401,
  /** The sign-in is too old for this operation: sign in again. */
  'session/stale': 403,
  /** A different account is signed in than the frame expects. The frame must discard its data. */
  'session/other-account': 409,
  /** The record was changed in the meantime. `version` is the current version. */
  'record/conflict': 409,
  /** The sealed record is longer than `maxRecordBytes`. */
  'record/too-large': 413,
  /** The account has no device with this ID, or, in assisted custody, the operator has no share of this key. */
  'device/unknown': 404,
  /** The key half of this device was permanently erased. */
  'device/revoked': 410,
  /** The key half belongs to another browser. */
  'device/other-browser': 403,
  /** No approval link is pending for this frame: never requested, or expired. */
  'approval/expired': 410,
  /** Never created, withdrawn, answered, or expired. */
  'handover/unknown': 404,
  /** The request was claimed by another window, or is being carried out. */
  'handover/taken': 409,
  /** The account has no transfer with this ID: never started, cancelled, replaced, or expired. */
  'transfer/unknown': 404,
  /** Held for a while because the device was opened with an email code. `seconds` is the remaining time. */
  'transfer/held': 403,
  /** The step has already been taken, or is not the next step. */
  'transfer/out-of-turn': 409,
  /** The operator has not configured this provider. */
  'social/unknown-provider': 404,
  /** The user declined at the provider. */
  'social/declined': 422,
  /** The login did not start in this frame session, has expired, was already used, or the provider reported an error. */
  'social/failed': 422,
  /** The passkey's response was not accepted. The error does not reveal why. */
  'passkey/refused': 422,
  /** Passkeys cannot be bound to the keys origin, such as plain `localhost`. */
  'passkey/unavailable': 404,
  /** The operator has not enabled Farcaster. */
  'farcaster/unavailable': 404,
  /** No login is pending for this frame, Farcaster's relay did not respond, or the signer does not own the Farcaster account. */
  'farcaster/failed': 422,
  /** The email could not be handed over to the mail server. Nothing was sent. */
  'mail/failed': 503,
  /** The request does not come from the frame of this origin. */
  'origin/refused': 403,
  /** There is no such endpoint, or the operator has not enabled it. */
  'path/unknown': 404,
  /** An unexpected error on the server, which logs it. */
  'server/failed': 500,
  /** A store or node is unreachable, or there are too many requests. `seconds` is the delay before a retry. */
  'server/unavailable': 503,
} as const satisfies Readonly<Record<string, number>>

/** An error code. */
export type VaultFailureCode = keyof typeof vaultFailures

/** The error response of the server. */
export interface VaultFailure {
  /** What went wrong, for use in conditions. `vaultFailures` has the HTTP status of each code. */
  readonly code: VaultFailureCode
  /** Meant for developers. */
  readonly message: string
  /** How many seconds to wait before trying again. Absent if waiting does not help. */
  readonly seconds?: number | undefined
  /** How often the code can still be entered. Only set for `code/wrong`. */
  readonly triesLeft?: number | undefined
  /** The version of the stored record. Only set for `record/conflict`. */
  readonly version?: number | undefined
}

/** A schema for an error response. */
export const vaultFailure: v.GenericSchema<unknown, VaultFailure> = v.object({
  code: v.picklist(Object.keys(vaultFailures) as VaultFailureCode[]),
  message: plainText(1000),
  seconds: v.optional(time),
  triesLeft: v.optional(time),
  version: v.optional(time),
})

// --- Data ----------------------------------------------------------------------------------------------------------

/** The signed-in user. */
export interface VaultUser {
  /** An opaque ID of 1 to 64 characters. It never changes, even if the email address does. */
  readonly id: string
  /** `null` if the provider gave no verified address. */
  readonly email: string | null
  /** The user's name at the provider. */
  readonly userName: string | null
  /** When the account was created, in epoch milliseconds. */
  readonly createdAt: number
}

const user: v.GenericSchema<unknown, VaultUser> = v.object({
  id,
  email: v.nullable(address),
  userName: v.nullable(plainText(200)),
  createdAt: time,
})

/** The sealed vault and its wrappers, as written by the frame. The server cannot read them. */
export interface VaultRecord {
  /** The serialized record of `@latchkey/vault`, at most `maxRecordBytes` long. */
  readonly record: string
  /** Starts at 1 and increases with each write. */
  readonly version: number
  /** When this version was stored, in epoch milliseconds. */
  readonly updatedAt: number
}

const record: v.GenericSchema<unknown, VaultRecord> = v.object({
  record: text(maxRecordBytes),
  version: v.pipe(time, v.minValue(1)),
  updatedAt: time,
})

/** A device that can open the vault with a key half from the server. */
export interface VaultDevice {
  /** The ID that the frame chose when it registered the device. */
  readonly id: string
  /** The name that the frame chose: browser and system, such as `Chrome on Linux`. */
  readonly name: string
  /** A public key of the device in base64url. `null` if it was registered without one. */
  readonly publicKey: string | null
  /** When the device was registered, in epoch milliseconds. */
  readonly createdAt: number
  /** When its key half was last returned, in epoch milliseconds. */
  readonly lastUsedAt: number
  /** When the device was removed, in epoch milliseconds, or `null` if it can still open the vault. */
  readonly revokedAt: number | null
  /** Whether it is the browser that sent the request. */
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
  /** The credential ID, in base64url. */
  readonly id: string
  /** The name given when the passkey was registered, of at most 64 characters. */
  readonly name: string
  /** When the passkey was registered, in epoch milliseconds. */
  readonly createdAt: number
  /** When it was last used to sign in, in epoch milliseconds, or `null` if never. */
  readonly lastUsedAt: number | null
}

const passkey: v.GenericSchema<unknown, VaultPasskey> = v.object({
  id: v.pipe(v.string(), v.regex(/^[\w-]{1,1400}$/)),
  name: plainText(64),
  createdAt: time,
  lastUsedAt: v.nullable(time),
})

// --- The server ----------------------------------------------------------------------------------------------------

/** The operator's configuration, as far as the frame needs it. */
export interface VaultConfig {
  /** Who can open a vault: with `self`, only its user can. */
  readonly custody: 'self' | 'assisted'
  /** The pages that can embed the frame, as origin patterns. Pages on localhost always can. */
  readonly origins: readonly string[]
  /** The social providers that the operator has configured. Empty if there are none. */
  readonly social: readonly SocialProvider[]
  /** Whether users can sign in with Farcaster. */
  readonly farcaster: boolean
  /** False if the keys host is plain `localhost`, because every page on that machine could request its passkeys. */
  readonly passkeys: boolean
  /** The CAIP-2 IDs of the networks behind `/vault/rpc`. */
  readonly networks: readonly string[]
  /** The CAIP-2 IDs of the networks with a bundler, which support smart accounts. */
  readonly bundlers: readonly string[]
  /** The CAIP-2 IDs of the networks on which the operator sponsors fees, subject to its policy. */
  readonly sponsored: readonly string[]
  /** The origins of paymaster services that pages can name (ERC-7677). */
  readonly paymasters: readonly string[]
  /** Whether pages can be granted permissions to sign within limits. [false] */
  readonly smartSessions?: boolean | undefined
  /** The origin of visitor identification. Absent if it is disabled, which is the default. */
  readonly identify?: string | undefined
}

/** `GET /vault/config`: returns the configuration. */
export const getVaultConfig: Endpoint<undefined, VaultConfig> = defineEndpoint({
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
})

/** `POST /vault/rpc?chainId=eip155:1`: JSON-RPC for the data that the frame displays and signs. It never uses the page's node. */
export const vaultRpcPath = '/vault/rpc'

/** `POST /vault/bundler?chainId=eip155:1`: JSON-RPC of the network's bundler (ERC-4337). Methods with a cost require a signed-in user. */
export const vaultBundlerPath = '/vault/bundler'

/** The allowed bundler methods. The last one is the source of fees for some bundlers. */
export const bundlerMethods = [
  'eth_sendUserOperation',
  'eth_estimateUserOperationGas',
  'eth_getUserOperationReceipt',
  'eth_getUserOperationByHash',
  'eth_supportedEntryPoints',
  'pimlico_getUserOperationGasPrice',
] as const

/**
 * `POST /vault/paymaster?chainId=eip155:1&page=<origin>`: JSON-RPC of the operator's paymaster (ERC-7677), for signed-in users and subject to its
 * policy. With `&url=`, uses the paymaster that the page named, if the operator allows it.
 */
export const vaultPaymasterPath = '/vault/paymaster'

/** The allowed paymaster methods. */
export const paymasterMethods = ['pm_getPaymasterStubData', 'pm_getPaymasterData'] as const

// --- Email ---------------------------------------------------------------------------------------------------------

/**
 * `POST /vault/email`: emails a code, or a link to approve this browser. The response does not reveal whether an account exists. Returns
 * `CONNECT` if this address is already signed in, unless `again` requires verification.
 */
export const postEmail: Endpoint<
  { readonly email: string; readonly again?: boolean | undefined; readonly visitorId?: string | undefined },
  { readonly action: 'VERIFY_OTP' | 'VERIFY_DEVICE' | 'CONNECT' }
> = defineEndpoint({
  method: 'POST',
  path: '/vault/email',
  body: v.object({ email: address, again: v.optional(v.boolean()), visitorId: v.optional(visitorId) }),
  answer: v.object({ action: v.picklist(['VERIFY_OTP', 'VERIFY_DEVICE', 'CONNECT']) }),
})

/**
 * `POST /vault/email/device`: waits up to 25 s for the link to be opened. `approved`: a code was emailed, only once even if the request is
 * repeated. `waiting`: repeat the request.
 */
export const postEmailDevice: Endpoint<undefined, { readonly status: 'approved' | 'waiting' }> = defineEndpoint({
  method: 'POST',
  path: '/vault/email/device',
  answer: v.object({ status: v.picklist(['approved', 'waiting']) }),
})

/** `POST /vault/email/code`: signs in. Only valid in the frame session that requested the code. */
export const postEmailCode: Endpoint<{ readonly otp: string }, { readonly user: VaultUser }> = defineEndpoint({
  method: 'POST',
  path: '/vault/email/code',
  body: v.object({ otp }),
  answer: v.object({ user }),
})

/** `POST /vault/email/change`: sends a code to the current address, if there is one. */
export const postEmailChange: Endpoint<
  { readonly email: string },
  { readonly action: 'VERIFY_PRIMARY_OTP' | 'VERIFY_SECONDARY_OTP' }
> = defineEndpoint({
  method: 'POST',
  path: '/vault/email/change',
  body: v.object({ email: address }),
  answer: v.object({ action: v.picklist(['VERIFY_PRIMARY_OTP', 'VERIFY_SECONDARY_OTP']) }),
})

/** `POST /vault/email/change/primary`: submits the code from the current address and sends a code to the new address. */
export const postEmailChangePrimary: Endpoint<{ readonly otp: string }, Nothing> = defineEndpoint({
  method: 'POST',
  path: '/vault/email/change/primary',
  body: v.object({ otp }),
  answer: nothing,
})

/** `POST /vault/email/change/secondary`: submits the code from the new address and changes the address. */
export const postEmailChangeSecondary: Endpoint<{ readonly otp: string }, { readonly newEmail: string }> =
  defineEndpoint({
    method: 'POST',
    path: '/vault/email/change/secondary',
    body: v.object({ otp }),
    answer: v.object({ newEmail: address }),
  })

// --- The account ---------------------------------------------------------------------------------------------------

/** The account with its vault and devices. */
export interface VaultMe {
  /** The user who is signed in. */
  readonly user: VaultUser
  /** `null` if the account has no vault yet. */
  readonly record: VaultRecord | null
  /** All devices of the account, newest first, including removed ones. */
  readonly devices: readonly VaultDevice[]
  /** The passkeys that sign in to the account, newest first. */
  readonly passkeys: readonly VaultPasskey[]
  /** The start of the sign-in session, in epoch milliseconds. */
  readonly since: number
  /** The expiry of the sign-in session, in epoch milliseconds. */
  readonly expiresAt: number
  /** The server's time in epoch milliseconds, in case the device's clock is wrong. Absent from older servers. */
  readonly now?: number | undefined
}

/** `GET /vault/me`: returns the account. Fails with `session/none` if no user is signed in. */
export const getMe: Endpoint<undefined, VaultMe> = defineEndpoint({
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
})

/** `PUT /vault/record`: replaces version `expectedVersion` (0 if there is none) with a new version. */
export const putRecord: Endpoint<
  {
    /** The user whose vault the frame writes, as two tabs share a sign-in session. */
    readonly userId: string
    readonly record: string
    readonly expectedVersion: number
  },
  { readonly version: number }
> = defineEndpoint({
  method: 'PUT',
  path: '/vault/record',
  body: v.object({ userId: id, record: v.pipe(v.string(), v.nonEmpty(), v.check(isPlainText)), expectedVersion: time }),
  answer: v.object({ version: time }),
})

/** `POST /vault/sign-out`: ends this sign-in session. Succeeds even if there is none. */
export const postSignOut: Endpoint<undefined, Nothing> = defineEndpoint({
  method: 'POST',
  path: '/vault/sign-out',
  answer: nothing,
})

/** `POST /vault/sign-out/everywhere`: ends all sign-in sessions of the account, including this one. */
export const postSignOutEverywhere: Endpoint<undefined, Nothing> = defineEndpoint({
  method: 'POST',
  path: '/vault/sign-out/everywhere',
  answer: nothing,
})

/** An audit log entry, visible to the user. */
export interface AuditEntry {
  /** Epoch milliseconds. */
  readonly at: number
  /** What happened, such as `device-added`. */
  readonly event: AuditEvent
  /** The device, passkey or provider concerned. */
  readonly about: string | null
  /** The browser and system according to the user agent. IP addresses are not stored. */
  readonly place: string | null
}

/** The audited events. */
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

/** An audited event. */
export type AuditEvent = (typeof auditEvents)[number]

/** `GET /vault/audit`: returns the last 200 entries, newest first. */
export const getAudit: Endpoint<undefined, { readonly entries: readonly AuditEntry[] }> = defineEndpoint({
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
})

// --- Devices -------------------------------------------------------------------------------------------------------

/**
 * `POST /vault/devices`: creates the server's key half for this browser, which only this browser can read. Within ten minutes of signing in,
 * otherwise `session/stale`. Repeating the request with the same `deviceId` returns the same half.
 */
export const postDevice: Endpoint<
  {
    readonly userId: string
    /** Chosen by the frame. */
    readonly deviceId: string
    readonly name: string
    readonly publicKey?: string | undefined
  },
  {
    /** 32 bytes in base64url. */
    readonly serverHalf: string
  }
> = defineEndpoint({
  method: 'POST',
  path: '/vault/devices',
  body: v.object({ userId: id, deviceId: id, name, publicKey: v.optional(bytes) }),
  answer: v.object({ serverHalf: half }),
})

/** `POST /vault/devices/:id/half`: returns the server's key half for this device again. */
export const postDeviceHalf: Endpoint<undefined, { readonly serverHalf: string }> = defineEndpoint({
  method: 'POST',
  path: '/vault/devices/:id/half',
  answer: v.object({ serverHalf: half }),
})

/** `GET /vault/devices`: returns the devices. */
export const getDevices: Endpoint<undefined, { readonly devices: readonly VaultDevice[] }> = defineEndpoint({
  method: 'GET',
  path: '/vault/devices',
  answer: v.object({ devices: listOf(device) }),
})

/** `DELETE /vault/devices/:id`: permanently erases the device's key half and ends its sign-in sessions. */
export const deleteDevice: Endpoint<undefined, Nothing> = defineEndpoint({
  method: 'DELETE',
  path: '/vault/devices/:id',
  answer: nothing,
})

// --- Transfer between devices --------------------------------------------------------------------------------------

/**
 * A transfer of the vault key from an existing device to a new device, for which it is sealed.
 *
 * The new device commits to its public key (`commitment`, a hash), the existing device responds with its own (`offer`), and the new device reveals
 * its key (`reveal`). Both then display words derived from both keys. Only after the user has compared them, the existing device sends the
 * sealed key (`sealed`). Without the commitment, a malicious server could search for keys with the same words.
 */
export interface VaultTransfer {
  /** Identifies the transfer in the paths of its endpoints. */
  readonly id: string
  /** The new device's browser and system, such as `Chrome on Linux`, as the server sees them. */
  readonly name: string
  /** SHA-256 of the new device's public key and a salt, in base64url. */
  readonly commitment: string
  /** The existing device's public key in base64url, or `null` until it responds. */
  readonly offer: string | null
  /** The new device's public key and salt in base64url, or `null` until they are revealed. */
  readonly reveal: string | null
  /** The vault key, encrypted for the new device, in base64url, or `null` until the user has compared the words. */
  readonly sealed: string | null
  /** When the transfer was started, in epoch milliseconds. */
  readonly createdAt: number
  /** When the transfer ends if it is not completed, in epoch milliseconds. */
  readonly expiresAt: number
  /** Whether this browser requested the transfer, which means it is the new device. */
  readonly isMine: boolean
  /** Until this time (epoch milliseconds), only a device opened with a passkey or recovery kit can approve it. Absent without a hold. */
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

/** `POST /vault/transfers`: starts a transfer on the new device, within ten minutes of signing in. Replaces an earlier transfer. */
export const postTransfer: Endpoint<
  { readonly name: string; readonly commitment: string },
  { readonly transfer: VaultTransfer }
> = defineEndpoint({
  method: 'POST',
  path: '/vault/transfers',
  body: v.object({ name, commitment: bytes }),
  answer: v.object({ transfer }),
})

/** `GET /vault/transfers`: returns the pending transfers to an existing device. */
export const getTransfers: Endpoint<undefined, { readonly transfers: readonly VaultTransfer[] }> = defineEndpoint({
  method: 'GET',
  path: '/vault/transfers',
  answer: v.object({ transfers: listOf(transfer) }),
})

/** The steps of a transfer in order. `offer` and `sealed` are sent by the existing device, `reveal` by the new device. */
export const transferSteps = ['offer', 'reveal', 'sealed'] as const

/** A step of a transfer. */
export type TransferStep = (typeof transferSteps)[number]

/** `GET /vault/transfers/:id/after/:steps`: waits up to 25 s until more than `steps` steps (0 to 3) have been taken. */
export const getTransfer: Endpoint<undefined, { readonly transfer: VaultTransfer }> = defineEndpoint({
  method: 'GET',
  path: '/vault/transfers/:id/after/:steps',
  answer: v.object({ transfer }),
})

/** `POST /vault/transfers/:id/:step`: takes the next step. */
export const postTransferStep: Endpoint<
  {
    readonly value: string
    /** How the existing device was opened for this request, sent with `offer`. Without it, an email code is assumed. */
    readonly openedWith?: 'key' | 'code' | undefined
  },
  { readonly transfer: VaultTransfer }
> = defineEndpoint({
  method: 'POST',
  path: '/vault/transfers/:id/:step',
  body: v.object({ value: bytes, openedWith: v.optional(v.picklist(['key', 'code'])) }),
  answer: v.object({ transfer }),
})

/** `DELETE /vault/transfers/:id`: cancels the transfer from either device. Requests of the other device then fail, as it no longer exists. */
export const deleteTransfer: Endpoint<undefined, Nothing> = defineEndpoint({
  method: 'DELETE',
  path: '/vault/transfers/:id',
  answer: nothing,
})

// --- Social --------------------------------------------------------------------------------------------------------

/**
 * The name of the BroadcastChannel between the frame and the popups of its origin. A popup at `popupPath` sends `{ waiting: true }` until the
 * frame sends its destination, and `going` before it navigates there. The popup that returns from the provider sends `resultUri`.
 * A page with COOP has lost its handle of the popup by then, and a page without it cannot read this channel.
 */
export const popupChannel = 'latchkey-popup'

/** The page of the keys origin that a popup shows until its destination is known. */
export const popupPath = '/loading'

/** A message on the channel. */
export type PopupMessage =
  | { readonly waiting: true }
  | { readonly uri: string }
  | { readonly going: string }
  /** A URL on the keys origin, only valid in the frame session that started the login. Also posted to the opener, if allowed. */
  | { readonly resultUri: string }

/** A schema for the messages on the channel. */
export const popupMessage: v.GenericSchema<unknown, PopupMessage> = v.union([
  v.object({ waiting: v.literal(true) }),
  v.object({ uri: text(8192) }),
  v.object({ going: text(8192) }),
  v.object({ resultUri: text(2048) }),
])

/** `POST /vault/social/:provider`: returns the popup's destination. */
export const postSocial: Endpoint<
  {
    /** The embedding page's origin, as reported by the browser to the frame. Only an opener with this origin receives the result. */
    readonly opener?: string | undefined
    /** Set if a window of the keys origin navigates to the provider itself. It returns to `/continue` with `result_uri`. */
    readonly window?: boolean | undefined
  },
  { readonly uri: string }
> = defineEndpoint({
  method: 'POST',
  path: '/vault/social/:provider',
  body: v.object({ opener: v.optional(text(300)), window: v.optional(v.boolean()) }),
  answer: v.object({ uri: text(8192) }),
})

/** `GET /vault/social/callback/:provider`: the redirect URI registered with the providers. Redirects to a page for the popup only. */
export const socialCallbackPath = '/vault/social/callback/:provider'

/** `GET /vault/social/done`: the page of a `resultUri`. Its `error` parameter is one of the error codes above. */
export const socialDonePath = '/vault/social/done'

/** `POST /vault/social/finish`: signs in. Valid once, and only in the frame session that started the login. */
export const postSocialFinish: Endpoint<
  { readonly resultUri: string },
  { readonly user: VaultUser; readonly userName: string | null; readonly provider: SocialProvider }
> = defineEndpoint({
  method: 'POST',
  path: '/vault/social/finish',
  body: v.object({ resultUri: text(2048) }),
  answer: v.object({
    user,
    userName: v.nullable(plainText(200)),
    provider: v.picklist(socialProviders),
  }),
})

// --- Passkeys ------------------------------------------------------------------------------------------------------

/** WebAuthn JSON. The browser and the server's verifier validate it; the frame passes it on. */
export type WebAuthnJson = Readonly<Record<string, unknown>>

const webAuthnJson: v.GenericSchema<unknown, WebAuthnJson> = v.pipe(
  v.record(v.string(), v.unknown()),
  v.check((json) => isPlainJson(json)),
)

/** `POST /vault/passkeys/options`: returns options for `PublicKeyCredential.parseCreationOptionsFromJSON`. Within ten minutes of signing in. */
export const postPasskeyOptions: Endpoint<undefined, { readonly options: WebAuthnJson }> = defineEndpoint({
  method: 'POST',
  path: '/vault/passkeys/options',
  answer: v.object({ options: webAuthnJson }),
})

/** `POST /vault/passkeys`: registers a passkey with `credential.toJSON()`. */
export const postPasskey: Endpoint<
  { readonly userId: string; readonly name: string; readonly response: WebAuthnJson },
  { readonly passkey: VaultPasskey }
> = defineEndpoint({
  method: 'POST',
  path: '/vault/passkeys',
  body: v.object({ userId: id, name, response: webAuthnJson }),
  answer: v.object({ passkey }),
})

/** `DELETE /vault/passkeys/:id`: removes a passkey. */
export const deletePasskey: Endpoint<undefined, Nothing> = defineEndpoint({
  method: 'DELETE',
  path: '/vault/passkeys/:id',
  answer: nothing,
})

/** `POST /vault/passkeys/sign-in/options`: returns options for `PublicKeyCredential.parseRequestOptionsFromJSON`, for any registered passkey. */
export const postPasskeySignInOptions: Endpoint<undefined, { readonly options: WebAuthnJson }> = defineEndpoint({
  method: 'POST',
  path: '/vault/passkeys/sign-in/options',
  answer: v.object({ options: webAuthnJson }),
})

/** `POST /vault/passkeys/sign-in`: signs in with a registered passkey. */
export const postPasskeySignIn: Endpoint<{ readonly response: WebAuthnJson }, { readonly user: VaultUser }> =
  defineEndpoint({
    method: 'POST',
    path: '/vault/passkeys/sign-in',
    body: v.object({ response: webAuthnJson }),
    answer: v.object({ user }),
  })

/** `POST /vault/passkeys/account/options`: returns creation options for a new account. Requires no sign-in. */
export const postPasskeyAccountOptions: Endpoint<undefined, { readonly options: WebAuthnJson }> = defineEndpoint({
  method: 'POST',
  path: '/vault/passkeys/account/options',
  answer: v.object({ options: webAuthnJson }),
})

/** `POST /vault/passkeys/account`: creates an account with this passkey as its only sign-in method, and signs in. */
export const postPasskeyAccount: Endpoint<
  { readonly name: string; readonly response: WebAuthnJson },
  { readonly user: VaultUser }
> = defineEndpoint({
  method: 'POST',
  path: '/vault/passkeys/account',
  body: v.object({ name, response: webAuthnJson }),
  answer: v.object({ user }),
})

// --- Farcaster -----------------------------------------------------------------------------------------------------

/** `POST /vault/farcaster`: returns a link for the Farcaster app, to show as a QR code. The same link is returned until it expires. */
export const postFarcaster: Endpoint<undefined, { readonly url: string }> = defineEndpoint({
  method: 'POST',
  path: '/vault/farcaster',
  answer: v.object({ url: text(2048) }),
})

/** `POST /vault/farcaster/finish`: waits up to 25 s and signs in once the user has approved. Can be repeated. */
export const postFarcasterFinish: Endpoint<
  undefined,
  { readonly status: 'waiting' } | { readonly status: 'done'; readonly user: VaultUser; readonly userName: string }
> = defineEndpoint({
  method: 'POST',
  path: '/vault/farcaster/finish',
  answer: v.union([
    v.object({ status: v.literal('waiting') }),
    v.object({ status: v.literal('done'), user, userName: text(200) }),
  ]),
})

// --- Browser names -------------------------------------------------------------------------------------------------

const browsers = /Firefox|Edg|OPR|Chrome|Safari/
const systems = /Android|iPhone|iPad|Windows|Mac OS X|CrOS|Linux/
const browserNames: Readonly<Record<string, string>> = {
  Edg: 'Edge',
  OPR: 'Opera',
  'Mac OS X': 'Mac',
  CrOS: 'ChromeOS',
}

/** Returns a browser's display name from its user agent, such as `Chrome on Linux`. */
export function browserName(userAgent: string): string {
  const browser = browsers.exec(userAgent.replace(/Chrome.*(Edg|OPR)/, '$1'))?.[0] ?? 'Browser'
  const system = systems.exec(userAgent)?.[0]
  return [browserNames[browser] ?? browser, system && (browserNames[system] ?? system)].filter(Boolean).join(' on ')
}
