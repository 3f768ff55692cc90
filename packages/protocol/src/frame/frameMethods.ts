import * as v from 'valibot'
import { type Namespace, namespaces } from '../caip.ts'
import { isEmailAddress } from '../emailAddress.ts'
import { popupSocialProviders } from '../specificationConstants.ts'
import { complaintAbout } from './rpcSchemas.ts'

// The page and the frame exchange messages of the form `{ type, id?, payload? }`. Each method is declared once in `Methods` and
// once in `methods`. The message types are derived from these declarations. Unknown keys and message types are ignored.

// --- Payloads ------------------------------------------------------------------------------------------------------

/**
 * A chain in a message. In RPC requests and in responses, EVM chains are numbers. Other requests can also use CAIP-2 IDs for
 * them. All other chains are CAIP-2 IDs or, in RPC requests, bare Solana references.
 */
export type WireChain = string | number

/** The account type: an externally owned account (`eoa`), or the smart account that its key controls. */
export type WireAccountType = 'eoa' | 'smartAccount'

/** One of the user's accounts. */
export interface WireAccount {
  /** The address: 0x-prefixed hex on EVM, base58 on Solana. */
  readonly address: string
  /** The account type. */
  readonly type: WireAccountType
}

/** The fields of a sign-in message that the page asks the frame to sign, or that the frame has signed. */
export interface Siwx {
  /** The signer's address. In a request this is `<<AccountAddress>>`, because the page does not know the address before login. */
  readonly accountAddress: string
  /** The CAIP-2 ID of the chain, such as `eip155:1`. */
  readonly chainId: string
  /** The host of the page that the user is signing in to. The frame checks it against the page's actual origin. */
  readonly domain: string
  /** The URI of the page that the user is signing in to. */
  readonly uri: string
  /** The version of the message format: `1` (EIP-4361). */
  readonly version: string
  /** A random string of at least eight letters and digits that prevents replay (EIP-4361). */
  readonly nonce: string
  /** The complete message. In a request, it contains the placeholder `<<AccountAddress>>` in place of the address. */
  readonly serializedMessage?: string | undefined
  /** When the sign-in becomes valid (ISO 8601). Absent if the sign-in is valid immediately. */
  readonly notBefore?: string | undefined
  /** A statement for the user to read, without line breaks. Optional. */
  readonly statement?: string | undefined
  /** The server's ID for the sign-in request. Optional. */
  readonly requestId?: string | undefined
  /** When the message was created (ISO 8601). */
  readonly issuedAt?: string | undefined
  /** When the sign-in expires (ISO 8601). Absent if the sign-in does not expire. */
  readonly expirationTime?: string | undefined
  /** The URIs that the user agrees to by signing in. Optional. */
  readonly resources?: string[] | undefined
}

/** The connected user. The first entry of `accounts` is the active account, and its address is the same as `address`. */
export interface FrameUser {
  /** The address of the active account: 0x-prefixed hex on EVM, base58 on Solana. */
  readonly address: string
  /** The active chain: a number on EVM, otherwise its CAIP-2 ID. */
  readonly chainId: WireChain
  /** The user's verified email address. `null` or absent if the user has none. Never an empty string. */
  readonly email?: string | null | undefined
  /** Whether the smart account has code on this chain. False if the chain does not support smart accounts. */
  readonly smartAccountDeployed?: boolean | undefined
  /** All of the user's accounts on this chain. The active account comes first. */
  readonly accounts?: WireAccount[] | undefined
  /** The type of the active account: `eoa` or `smartAccount`. It can differ from the requested type. */
  readonly preferredAccountType?: string | undefined
  /** Latchkey only: `single` if losing one key means losing the account. The page then warns the user when receiving funds. */
  readonly protection?: 'single' | 'protected' | undefined
  /** The signature of `message`. Absent if no sign-in was requested, or if the user or the frame rejected the sign-in. */
  readonly signature?: string | undefined
  /** The sign-in message that was signed, with the address filled in. */
  readonly message?: string | undefined
  /** The fields of the sign-in message that was signed, with the address filled in. */
  readonly siwxMessage?: Siwx | undefined
}

/** The response to CONNECT_SOCIAL. */
export interface SocialUser extends FrameUser {
  /** The user's name at the provider. `null` or absent if the provider does not return a name. */
  readonly userName?: string | null | undefined
}

/** The next step of an email login. */
export type ConnectEmailAction = 'VERIFY_DEVICE' | 'VERIFY_OTP' | 'CONNECT'
/** The next step of an email change. */
export type UpdateEmailAction = 'VERIFY_PRIMARY_OTP' | 'VERIFY_SECONDARY_OTP'
/** A social login provider whose login page opens in a popup. */
export type PopupProvider = (typeof popupSocialProviders)[number]

/** A social login provider, including Farcaster. */
export type SocialName = PopupProvider | 'farcaster'

/** The parameters of GET_USER. All are optional. */
export interface GetUser {
  /** The chain whose account to return. It becomes the active chain. Defaults to the last used chain. */
  readonly chainId?: WireChain | undefined
  /** The account type to use from now on, if the chain supports it: `eoa` or `smartAccount`. Defaults to the current type. */
  readonly preferredAccountType?: string | undefined
  /** The result of a social login. Sent by older clients and ignored by Latchkey's frame. Use CONNECT_SOCIAL instead. */
  readonly socialUri?: string | undefined
  /**
   * A sign-in message to sign during login. Latchkey's frame only signs it for a page that is connected through a MessagePort.
   */
  readonly siwxMessage?: Siwx | undefined
  /** The URL of the page's RPC node for the chain. Latchkey's frame ignores it and uses the operator's node. */
  readonly rpcUrl?: string | undefined
}

/**
 * The parameters of CONNECT_SOCIAL. A page that is connected through a MessagePort cannot observe the popup, because COOP
 * prevents it. Such a page sends the `uri` from GET_SOCIAL_REDIRECT_URI and repeats the request each time it times out, until
 * the login in the popup is complete.
 */
export interface ConnectSocial {
  /** The value that the popup posted to its opener, unchanged, or the `uri` returned by GET_SOCIAL_REDIRECT_URI. */
  readonly uri: string
  /** The account type to use from now on, if the chain supports it: `eoa` or `smartAccount`. Defaults to the current type. */
  readonly preferredAccountType?: string | undefined
  /** The chain whose account to return. It becomes the active chain. Defaults to the last used chain. */
  readonly chainId?: WireChain | undefined
  /**
   * A sign-in message to sign during login. Latchkey's frame only signs it for a page that is connected through a MessagePort.
   */
  readonly siwxMessage?: Siwx | undefined
  /** The URL of the page's RPC node for the chain. Latchkey's frame ignores it and uses the operator's node. */
  readonly rpcUrl?: string | undefined
}

/** A wallet request. Without `chainId`, the frame uses its current chain. */
export interface RpcRequest {
  /** The method, such as `personal_sign`. Frames reject any method for which `methodClass()` returns `refused`. */
  readonly method: string
  /** The method's parameters, as defined by its specification. The page sends bigints as 0x-prefixed hex. */
  readonly params?: unknown
  /** The chain: a number on EVM, a bare reference or CAIP-2 ID on Solana. */
  readonly chainId?: WireChain | undefined
  /** The namespace of `chainId`. Defaults to `solana` for methods that start with `solana_`, otherwise `eip155`. */
  readonly chainNamespace?: Namespace | undefined
  /** The URL of the page's RPC node for the chain. Latchkey's frame ignores it and uses the operator's node. */
  readonly rpcUrl?: string | undefined
}

/** The page's theme. Values that are absent stay unchanged. */
export interface ThemeData {
  /** The page's color scheme. A page that follows the system setting sends the current scheme. */
  readonly themeMode?: 'light' | 'dark' | undefined
  /** The theme variables, keyed by name, such as `accent`. Latchkey's frame only uses the accent color and the corner radius. */
  readonly themeVariables?: Record<string, string | number> | undefined
  /** The variables `--w3m-accent` and `--w3m-background`, for other vendors' frames. `themeVariables` takes precedence. */
  readonly w3mThemeVariables?: Record<string, string> | undefined
}

/** The page's description of itself. It is not verified and must only be used for display. */
export interface DappData {
  /** The page's name, description, URL and icon URLs. Absent if unknown. */
  readonly metadata?:
    | { readonly name: string; readonly description: string; readonly url: string; readonly icons: string[] }
    | undefined
  /** The SDK and its version, such as `react-1.2.3`. */
  readonly sdkVersion?: string | undefined
  /** The name of the SDK: `latchkey` for Latchkey. */
  readonly sdkType?: string | undefined
  /** The ID of the page's project. Empty if the page has none. */
  readonly projectId: string
}

// --- Methods -------------------------------------------------------------------------------------------------------

/** The parameters and the result of each method that a page can call. */
export interface Methods {
  /** Makes a chain the active chain in its namespace. Fails if the frame does not support the chain. */
  SWITCH_NETWORK: {
    params: { readonly chainId: WireChain; readonly rpcUrl?: string | undefined }
    result: { readonly chainId: WireChain }
  }
  /**
   * Starts an email login and returns the next step. The user has to approve this browser (`VERIFY_DEVICE`), enter the emailed
   * code (`VERIFY_OTP`), or do nothing (`CONNECT`).
   */
  CONNECT_EMAIL: { params: { readonly email: string }; result: { readonly action: ConnectEmailAction } }
  /**
   * Waits until the user approves this browser on the page that the emailed link opens. The code is then emailed. If the
   * request times out, repeat it.
   */
  CONNECT_DEVICE: { params: undefined; result: undefined }
  /** Logs the user in with the six-digit code from the email. Fails with `Invalid code` if the code is wrong. */
  CONNECT_OTP: { params: { readonly otp: string }; result: undefined }
  /**
   * Latchkey only, if READY includes the `passkey` capability: logs the user in, or signs them up, with a passkey on a screen in
   * the frame.
   */
  CONNECT_PASSKEY: { params: undefined; result: undefined }
  /**
   * Latchkey only, if READY includes the `window` capability: logs the user in through a window on the frame's origin, which the
   * user opens from the frame. A frame with this capability is embedded in a cross-site page and supports no other login method.
   * `provider` preselects a social login. The result contains the provider that the user chose, if any.
   */
  CONNECT_WINDOW: {
    params: { readonly email?: string | undefined; readonly provider?: SocialName | undefined } | undefined
    result: { readonly provider: SocialName; readonly userName: string | null } | undefined
  }
  /** Completes a social login and returns the user. */
  CONNECT_SOCIAL: { params: ConnectSocial; result: SocialUser }
  /** Starts a social login. Returns the URL of the provider's login page, for the popup. */
  GET_SOCIAL_REDIRECT_URI: { params: { readonly provider: PopupProvider }; result: { readonly uri: string } }
  /** Starts a Farcaster login. Returns the link for the Farcaster app, to show as a QR code. */
  GET_FARCASTER_URI: { params: undefined; result: { readonly url: string } }
  /** Waits until the user approves the login in the Farcaster app. Returns the user's Farcaster name. */
  CONNECT_FARCASTER: { params: undefined; result: { readonly userName: string } }
  /** Returns the logged-in user with their accounts on the requested chain. Fails if no user is logged in. */
  GET_USER: { params: GetUser | undefined; result: FrameUser }
  /** Logs the user out, locks the wallet and aborts pending requests. Succeeds even if no user is logged in. */
  SIGN_OUT: { params: undefined; result: undefined }
  /** Returns whether a user is logged in. Latchkey's frame ignores `token`. */
  IS_CONNECTED: { params: { readonly token: string } | undefined; result: { readonly isConnected: boolean } }
  /** Returns the last used chain. */
  GET_CHAIN_ID: { params: undefined; result: { readonly chainId: WireChain } }
  /** Returns the EIP-155 chain IDs of the networks that support smart accounts. */
  GET_SMART_ACCOUNT_ENABLED_NETWORKS: {
    params: undefined
    result: { readonly smartAccountEnabledNetworks: number[] }
  }
  /** Returns the smart account on the active EVM chain and whether it is deployed. Does not deploy the account. */
  INIT_SMART_ACCOUNT: { params: undefined; result: { readonly address: string; readonly isDeployed: boolean } }
  /** Sets the preferred account type. Returns the type and address of the account that is now used on the active chain. */
  SET_PREFERRED_ACCOUNT: {
    params: { readonly type: WireAccountType }
    result: { readonly type: string; readonly address: string }
  }
  /**
   * Sends a wallet request. Read requests are answered directly. Signatures and transactions need approval in the frame, unless
   * a permission covers them.
   */
  RPC_REQUEST: { params: RpcRequest; result: unknown }
  /** Aborts the RPC request with the given `id`. Other vendors' clients omit the `id`, which aborts all pending requests. */
  RPC_ABORT: { params: { readonly id?: string | undefined } | undefined; result: undefined }
  /** Starts an email change. Returns which address receives the first code: the current (`PRIMARY`) or the new (`SECONDARY`). */
  UPDATE_EMAIL: { params: { readonly email: string }; result: { readonly action: UpdateEmailAction } }
  /** Submits the code that was sent to the current address. A code is then sent to the new address. */
  UPDATE_EMAIL_PRIMARY_OTP: { params: { readonly otp: string }; result: undefined }
  /** Submits the code that was sent to the new address. Returns the new email address. */
  UPDATE_EMAIL_SECONDARY_OTP: { params: { readonly otp: string }; result: { readonly newEmail: string } }
  /** Sends the page's theme to the frame, which applies the theme to its screens. */
  SYNC_THEME: { params: ThemeData; result: undefined }
  /** Sends the page's description of itself to the frame. Latchkey's frame stores it but displays the page's origin instead. */
  SYNC_DAPP_DATA: { params: DappData; result: undefined }
  /** Aborts pending requests and reloads the frame, which sends READY again. */
  RELOAD: { params: undefined; result: undefined }
}

/** The name of a method: its message type without the prefix. */
export type MethodName = keyof Methods
/** The parameters of a method. */
export type MethodParams<Name extends MethodName> = Methods[Name]['params']
/** The result of a method. */
export type MethodResult<Name extends MethodName> = Methods[Name]['result']

/**
 * The timeout policy of a method:
 * - `timed`: the request times out if the frame does not load or does not respond in time.
 * - `open`: the request only times out if the frame does not load. The response can take any length of time.
 * - `sync`: the request has no timeout of its own, even while the frame is loading.
 * - `leaving`: the request resolves after 3 seconds even without a response.
 */
export type TimeoutPolicy = 'timed' | 'open' | 'sync' | 'leaving'

/** An entry in the method table. */
export interface Method<Params = unknown, Result = unknown> {
  /** The schema for the parameters. The frame rejects requests that do not match. */
  readonly params: v.GenericSchema<unknown, Params>
  /** The schema for the result. If a response does not match, the request rejects with `frame/failed`. */
  readonly result: v.GenericSchema<unknown, Result>
  /** The method's timeout policy. */
  readonly timeoutPolicy: TimeoutPolicy
}

const none = v.pipe(
  v.unknown(),
  v.transform((): undefined => undefined),
)
const text = v.pipe(v.string(), v.maxLength(16_384))
const filled = v.pipe(text, v.minLength(1))
const chain = v.union([
  v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  v.pipe(v.string(), v.regex(/^[-_a-z0-9]{1,64}(:[-_a-z0-9]{1,64})?$/i)),
])
// Clients match on the text 'Invalid email'.
const email = v.pipe(text, v.trim(), v.check(isEmailAddress, 'Invalid email'))
const otp = v.pipe(
  text,
  v.transform((code) => code.replaceAll(/\s/g, '')),
  v.regex(/^\d{6}$/, 'Invalid code'),
)
const providers = v.picklist(popupSocialProviders)
const socials = v.picklist([...popupSocialProviders, 'farcaster'])
/* @__NO_SIDE_EFFECTS__ */
const link = (schemes: RegExp) =>
  v.pipe(
    filled,
    v.check((address) => schemes.test(address) && URL.canParse(address), 'Invalid link'),
  )
const webLink = link(/^https?:\/\//i)
const resultUri = v.pipe(
  filled,
  v.check((uri) => !/^\s*(javascript|data|vbscript|blob):/i.test(uri), 'Invalid link'),
)

/** The schema for the fields of a sign-in message. */
export const siwx: v.GenericSchema<unknown, Siwx> = v.object({
  accountAddress: text,
  chainId: text,
  domain: text,
  uri: text,
  version: text,
  nonce: text,
  serializedMessage: v.optional(text),
  notBefore: v.optional(text),
  statement: v.optional(text),
  requestId: v.optional(text),
  issuedAt: v.optional(text),
  expirationTime: v.optional(text),
  resources: v.optional(v.array(text)),
})

const userEntries = {
  address: filled,
  chainId: chain,
  email: v.nullish(email),
  smartAccountDeployed: v.optional(v.boolean()),
  accounts: v.optional(v.array(v.object({ address: filled, type: v.picklist(['eoa', 'smartAccount']) }))),
  preferredAccountType: v.optional(text),
  protection: v.optional(v.picklist(['single', 'protected'])),
  signature: v.optional(text),
  message: v.optional(text),
  siwxMessage: v.optional(siwx),
}
/** The schema for the connected user. */
export const frameUser: v.GenericSchema<unknown, FrameUser> = v.object(userEntries)

const metadata = v.object({ name: text, description: text, url: text, icons: v.array(text) })

/** The protocol's method table. */
export const methods: { readonly [Name in MethodName]: Method<MethodParams<Name>, MethodResult<Name>> } = {
  SWITCH_NETWORK: {
    params: v.object({ chainId: chain, rpcUrl: v.optional(text) }),
    result: v.object({ chainId: chain }),
    timeoutPolicy: 'open',
  },
  CONNECT_EMAIL: {
    params: v.object({ email }),
    result: v.object({ action: v.picklist(['VERIFY_DEVICE', 'VERIFY_OTP', 'CONNECT']) }),
    timeoutPolicy: 'timed',
  },
  CONNECT_DEVICE: { params: none, result: none, timeoutPolicy: 'timed' },
  CONNECT_OTP: { params: v.object({ otp }), result: none, timeoutPolicy: 'timed' },
  CONNECT_PASSKEY: { params: none, result: none, timeoutPolicy: 'open' },
  CONNECT_WINDOW: {
    params: v.optional(v.object({ email: v.optional(email), provider: v.optional(socials) })),
    result: v.optional(v.object({ provider: socials, userName: v.nullable(text) })),
    timeoutPolicy: 'open',
  },
  CONNECT_SOCIAL: {
    params: v.object({
      uri: resultUri,
      preferredAccountType: v.optional(text),
      chainId: v.optional(chain),
      siwxMessage: v.optional(siwx),
      rpcUrl: v.optional(text),
    }),
    result: v.object({ ...userEntries, userName: v.nullish(text) }),
    timeoutPolicy: 'timed',
  },
  GET_SOCIAL_REDIRECT_URI: {
    params: v.object({ provider: providers }),
    result: v.object({ uri: webLink }),
    timeoutPolicy: 'timed',
  },
  GET_FARCASTER_URI: {
    params: none,
    result: v.object({ url: link(/^(https?|farcaster|warpcast):\/\//i) }),
    timeoutPolicy: 'open',
  },
  CONNECT_FARCASTER: { params: none, result: v.object({ userName: text }), timeoutPolicy: 'open' },
  GET_USER: {
    params: v.optional(
      v.object({
        chainId: v.optional(chain),
        preferredAccountType: v.optional(text),
        socialUri: v.optional(text),
        siwxMessage: v.optional(siwx),
        rpcUrl: v.optional(text),
      }),
    ),
    result: frameUser,
    timeoutPolicy: 'open',
  },
  SIGN_OUT: { params: none, result: none, timeoutPolicy: 'leaving' },
  IS_CONNECTED: {
    params: v.optional(v.object({ token: text })),
    result: v.object({ isConnected: v.boolean() }),
    timeoutPolicy: 'open',
  },
  GET_CHAIN_ID: { params: none, result: v.object({ chainId: chain }), timeoutPolicy: 'open' },
  GET_SMART_ACCOUNT_ENABLED_NETWORKS: {
    params: none,
    result: v.object({ smartAccountEnabledNetworks: v.array(v.number()) }),
    timeoutPolicy: 'open',
  },
  INIT_SMART_ACCOUNT: {
    params: none,
    result: v.object({ address: filled, isDeployed: v.boolean() }),
    timeoutPolicy: 'open',
  },
  SET_PREFERRED_ACCOUNT: {
    params: v.object({ type: v.picklist(['eoa', 'smartAccount']) }),
    result: v.object({ type: text, address: filled }),
    timeoutPolicy: 'sync',
  },
  RPC_REQUEST: {
    params: v.pipe(
      v.object({
        method: v.pipe(filled, v.maxLength(128)),
        params: v.optional(v.unknown()),
        chainId: v.optional(chain),
        chainNamespace: v.optional(v.picklist(namespaces)),
        rpcUrl: v.optional(text),
      }),
      v.rawCheck(({ dataset, addIssue }) => {
        if (!dataset.typed) return
        const message = complaintAbout(dataset.value.method, dataset.value.params)
        if (message) addIssue({ message })
      }),
    ),
    result: v.unknown(),
    timeoutPolicy: 'open',
  },
  RPC_ABORT: { params: v.optional(v.object({ id: v.optional(text) })), result: none, timeoutPolicy: 'open' },
  UPDATE_EMAIL: {
    params: v.object({ email }),
    result: v.object({ action: v.picklist(['VERIFY_PRIMARY_OTP', 'VERIFY_SECONDARY_OTP']) }),
    timeoutPolicy: 'open',
  },
  UPDATE_EMAIL_PRIMARY_OTP: { params: v.object({ otp }), result: none, timeoutPolicy: 'open' },
  UPDATE_EMAIL_SECONDARY_OTP: {
    params: v.object({ otp }),
    result: v.object({ newEmail: email }),
    timeoutPolicy: 'open',
  },
  SYNC_THEME: {
    params: v.object({
      themeMode: v.optional(v.picklist(['light', 'dark'])),
      themeVariables: v.optional(v.record(text, v.union([text, v.number()]))),
      w3mThemeVariables: v.optional(v.record(text, text)),
    }),
    result: none,
    timeoutPolicy: 'sync',
  },
  SYNC_DAPP_DATA: {
    params: v.object({
      metadata: v.optional(metadata),
      sdkVersion: v.optional(text),
      sdkType: v.optional(text),
      projectId: text,
    }),
    result: none,
    timeoutPolicy: 'sync',
  },
  RELOAD: { params: none, result: none, timeoutPolicy: 'open' },
}

/**
 * The path, on the frame's origin, of the page where users manage their keys. The page exists if READY includes the `wallet`
 * capability.
 */
export const walletPath = '/wallet'

/** The path of the approval window on the frame's origin. The window needs a one-time ID from the frame that opened it. */
export const approvalPath = '/approve'

/** The names of all methods. */
export const questionNames: readonly MethodName[] = Object.keys(methods) as MethodName[]
