import * as v from 'valibot'
import { type Namespace, namespaces } from '../caip.ts'
import { popupSocialProviders } from '../constants.ts'
import { complaintAbout } from './rpcSchemas.ts'

// Page and frame exchange messages of the form `{ type, id?, payload? }`. Each method is declared once, in `Methods` and `methods`; names,
// responses and schemas are derived from them. Unknown keys and unknown types are ignored.

// --- Payloads ------------------------------------------------------------------------------------------------------

/** A chain as sent in messages: a number on EVM, a CAIP-2 ID, or in RPC requests a bare Solana reference. */
export type WireChain = string | number

/** The account type: a key-based account, or the smart account that the key owns. */
export type WireAccountType = 'eoa' | 'smartAccount'

/** An account of the user. */
export interface WireAccount {
  /** 0x-prefixed hex on EVM, base58 on Solana. */
  readonly address: string
  /** Whether it is the key's own account or its smart account. */
  readonly type: WireAccountType
}

/** The fields of a sign-in message that the frame is asked to sign or has signed. */
export interface Siwx {
  /** The address that signs. In a request it is `<<AccountAddress>>`, as the page does not know it before the login. */
  readonly accountAddress: string
  /** The CAIP-2 ID of the chain, such as `eip155:1`. */
  readonly chainId: string
  /** The host of the page that the user signs in to. The frame compares it with the page's real origin. */
  readonly domain: string
  /** The URI of the page that the user signs in to. */
  readonly uri: string
  /** The version of the message format: `1` (EIP-4361). */
  readonly version: string
  /** A random text that makes the message usable once, of at least 8 letters and digits (EIP-4361). */
  readonly nonce: string
  /** The complete message. In a request it contains `<<AccountAddress>>` where the address belongs. */
  readonly serializedMessage?: string | undefined
  /** When the sign-in becomes valid (ISO 8601). Absent if it is valid immediately. */
  readonly notBefore?: string | undefined
  /** A sentence for the user, without line breaks. Absent if there is none. */
  readonly statement?: string | undefined
  /** The server's ID of the sign-in request. Absent if there is none. */
  readonly requestId?: string | undefined
  /** When the message was created (ISO 8601). */
  readonly issuedAt?: string | undefined
  /** When the sign-in expires (ISO 8601). Absent if it does not. */
  readonly expirationTime?: string | undefined
  /** URIs that the user agrees to with the sign-in. Absent if there are none. */
  readonly resources?: string[] | undefined
}

/** The connected user. `accounts[0]` is the active account and has `address`. Without an email address, `email` is null or absent, never "". */
export interface FrameUser {
  /** The address of the active account: 0x-prefixed hex on EVM, base58 on Solana. */
  readonly address: string
  /** The active chain: a number on EVM, otherwise its CAIP-2 ID. */
  readonly chainId: WireChain
  /** The user's verified email address, or `null` or absent if there is none. */
  readonly email?: string | null | undefined
  /** Whether the smart account has code on this chain. False if the chain does not support smart accounts. */
  readonly smartAccountDeployed?: boolean | undefined
  /** All accounts of the user on this chain, the active one first. */
  readonly accounts?: WireAccount[] | undefined
  /** The type of the active account: `eoa` or `smartAccount`. It can differ from the requested type. */
  readonly preferredAccountType?: string | undefined
  /** Latchkey only: `single` if losing one key loses the account, so that the user is warned before receiving funds. */
  readonly protection?: 'single' | 'protected' | undefined
  /** The signature of `message`. Absent if no sign-in was requested, or the user or the frame rejected it. */
  readonly signature?: string | undefined
  /** The text of the sign-in that was signed, with the address filled in. */
  readonly message?: string | undefined
  /** The fields of the sign-in that was signed, with the address filled in. */
  readonly siwxMessage?: Siwx | undefined
}

/** The response of CONNECT_SOCIAL. Only this and Farcaster's response include a name. */
export interface SocialUser extends FrameUser {
  /** The user's name at the provider. `null` or absent if the provider does not report one. */
  readonly userName?: string | null | undefined
}

/** The next step of an email login. */
export type ConnectEmailAction = 'VERIFY_DEVICE' | 'VERIFY_OTP' | 'CONNECT'
/** The next step of an email change. */
export type UpdateEmailAction = 'VERIFY_PRIMARY_OTP' | 'VERIFY_SECONDARY_OTP'
/** A provider that logs in through a popup. */
export type PopupProvider = (typeof popupSocialProviders)[number]

/** A social login provider, including Farcaster. */
export type SocialName = PopupProvider | 'farcaster'

/** The parameters of GET_USER. All are optional. */
export interface GetUser {
  /** The chain to return the account of, which becomes the active chain. [the chain used last] */
  readonly chainId?: WireChain | undefined
  /** The account type to use from now on, if the chain supports it: `eoa` or `smartAccount`. [no change] */
  readonly preferredAccountType?: string | undefined
  /** A login result, in older clients. Latchkey's frame ignores it: use CONNECT_SOCIAL. */
  readonly socialUri?: string | undefined
  /** A sign-in to sign with the login. Latchkey's frame only signs it for a page that uses the port. */
  readonly siwxMessage?: Siwx | undefined
  /** The page's node for the chain. Latchkey's frame ignores it and uses its operator's node. */
  readonly rpcUrl?: string | undefined
}

/**
 * The parameters of CONNECT_SOCIAL. `uri` is the value that the popup posted to its opener, unchanged. A page that uses the port does not observe
 * the popup (COOP prevents it): it sends the `uri` of GET_SOCIAL_REDIRECT_URI, and repeats the request every 30 s until the popup is done.
 */
export interface ConnectSocial {
  /** The result that the popup posted, or the value returned by GET_SOCIAL_REDIRECT_URI. */
  readonly uri: string
  /** The account type to use from now on, if the chain supports it: `eoa` or `smartAccount`. [no change] */
  readonly preferredAccountType?: string | undefined
  /** The chain to return the account of, which becomes the active chain. [the chain used last] */
  readonly chainId?: WireChain | undefined
  /** A sign-in to sign with the login. Latchkey's frame only signs it for a page that uses the port. */
  readonly siwxMessage?: Siwx | undefined
  /** The page's node for the chain. Latchkey's frame ignores it and uses its operator's node. */
  readonly rpcUrl?: string | undefined
}

/** A wallet request. Without `chainId`, the frame uses its current chain. */
export interface RpcRequest {
  /** The method, such as `personal_sign`. A frame rejects every method whose `methodClass` is `refused`. */
  readonly method: string
  /** The arguments of the method, as its specification defines them. The page sends big integers as 0x-prefixed hex. */
  readonly params?: unknown
  /** The chain: a number on EVM, a bare reference or CAIP-2 ID on Solana. */
  readonly chainId?: WireChain | undefined
  /** The namespace of `chainId`. [`solana` for methods that start with `solana_`, otherwise `eip155`] */
  readonly chainNamespace?: Namespace | undefined
  /** The page's node for the chain. Latchkey's frame ignores it and uses its operator's node. */
  readonly rpcUrl?: string | undefined
}

/** The page's theme. Absent values stay unchanged. */
export interface ThemeData {
  /** The color scheme of the page. A page that follows the system sends the current scheme. */
  readonly themeMode?: 'light' | 'dark' | undefined
  /** Theme variables by name, such as `accent`. Latchkey's frame only uses accent and corner radius. */
  readonly themeVariables?: Record<string, string | number> | undefined
  /** The variables `--w3m-accent` and `--w3m-background`, for frames of other vendors. `themeVariables` takes precedence. */
  readonly w3mThemeVariables?: Record<string, string> | undefined
}

/** The page's self-description. For display only, not verified. */
export interface DappData {
  /** The name, description, URL and icon URLs of the page. Absent if unknown. */
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

/** The methods that a page can call, including RPC_ABORT: their parameters and results. */
export interface Methods {
  /** Makes a chain the active one of its namespace. Fails if the frame does not support it. `rpcUrl` is the page's node for it. */
  SWITCH_NETWORK: {
    says: { readonly chainId: WireChain; readonly rpcUrl?: string | undefined }
    answer: { readonly chainId: WireChain }
  }
  /** Starts a login by email and returns the next step: approve this browser, enter the emailed code, or none (`CONNECT`). */
  CONNECT_EMAIL: { says: { readonly email: string }; answer: { readonly action: ConnectEmailAction } }
  /** Waits until the user opens the approval link in the email. The code is then emailed. Repeat the request if it times out. */
  CONNECT_DEVICE: { says: undefined; answer: undefined }
  /** Logs in with the emailed code of six digits. Fails with `Invalid code` if it is wrong. */
  CONNECT_OTP: { says: { readonly otp: string }; answer: undefined }
  /** Latchkey only, for frames whose READY has `passkey`: logs in or signs up with a passkey on a screen of the frame. */
  CONNECT_PASSKEY: { says: undefined; answer: undefined }
  /**
   * Latchkey only, for frames whose READY has `window`: logs in through a window of the frame's origin, which the user opens from the frame.
   * Such a frame is on a cross-site page and supports no other login. `provider` is the preselected social login; the result has the provider
   * that was used, if any.
   */
  CONNECT_WINDOW: {
    says: { readonly email?: string | undefined; readonly provider?: SocialName | undefined } | undefined
    answer: { readonly provider: SocialName; readonly userName: string | null } | undefined
  }
  /** Completes a social login and returns the user. */
  CONNECT_SOCIAL: { says: ConnectSocial; answer: SocialUser }
  /** Starts a social login. Returns the URL of the provider's login page, for the popup. */
  GET_SOCIAL_REDIRECT_URI: { says: { readonly provider: PopupProvider }; answer: { readonly uri: string } }
  /** Starts a Farcaster login. Returns the link for the Farcaster app, to show as a QR code. */
  GET_FARCASTER_URI: { says: undefined; answer: { readonly url: string } }
  /** Waits until the user approves the login in the Farcaster app. Returns the user's Farcaster name. */
  CONNECT_FARCASTER: { says: undefined; answer: { readonly userName: string } }
  /** Returns the logged-in user, with the accounts on the requested chain. Fails if no user is logged in. */
  GET_USER: { says: GetUser | undefined; answer: FrameUser }
  /** Logs out, locks the wallet and aborts pending requests. Succeeds even if no user is logged in. */
  SIGN_OUT: { says: undefined; answer: undefined }
  /** Returns whether a user is logged in. Latchkey's frame ignores `token`. */
  IS_CONNECTED: { says: { readonly token: string } | undefined; answer: { readonly isConnected: boolean } }
  /** Returns the chain that was used last. */
  GET_CHAIN_ID: { says: undefined; answer: { readonly chainId: WireChain } }
  /** Returns the EIP-155 chain IDs of the networks with smart accounts. */
  GET_SMART_ACCOUNT_ENABLED_NETWORKS: {
    says: undefined
    answer: { readonly smartAccountEnabledNetworks: number[] }
  }
  /** Returns the smart account on the active EVM chain, and whether it is deployed. Does not deploy it. */
  INIT_SMART_ACCOUNT: { says: undefined; answer: { readonly address: string; readonly isDeployed: boolean } }
  /** Sets the preferred account type. Returns the type and address of the account in use on the active chain. */
  SET_PREFERRED_ACCOUNT: {
    says: { readonly type: WireAccountType }
    answer: { readonly type: string; readonly address: string }
  }
  /** Sends a wallet request. Reads are answered directly; signatures and transactions need the user's approval in the frame. */
  RPC_REQUEST: { says: RpcRequest; answer: unknown }
  /** Without `id` in the payload, all pending requests are aborted. Other clients send no id. */
  RPC_ABORT: { says: { readonly id?: string | undefined } | undefined; answer: undefined }
  /** Starts a change of the email address. Returns which address gets the first code: the current (`PRIMARY`) or the new one. */
  UPDATE_EMAIL: { says: { readonly email: string }; answer: { readonly action: UpdateEmailAction } }
  /** Submits the code that was sent to the current address. A code is then sent to the new address. */
  UPDATE_EMAIL_PRIMARY_OTP: { says: { readonly otp: string }; answer: undefined }
  /** Submits the code that was sent to the new address. Returns the new address of the account. */
  UPDATE_EMAIL_SECONDARY_OTP: { says: { readonly otp: string }; answer: { readonly newEmail: string } }
  /** Sends the page's theme to the frame, for its screens. */
  SYNC_THEME: { says: ThemeData; answer: undefined }
  /** Sends the page's name and project to the frame, for its screens. */
  SYNC_DAPP_DATA: { says: DappData; answer: undefined }
  /** Aborts pending requests and reloads the frame, which sends READY again. */
  RELOAD: { says: undefined; answer: undefined }
}

/** The name of a method: its message type without the prefix. */
export type MethodName = keyof Methods
/** The parameters of a method. */
export type MethodParams<Name extends MethodName> = Methods[Name]['says']
/** The result of a method. */
export type MethodResult<Name extends MethodName> = Methods[Name]['answer']

/**
 * The timeout policy of a method. `timed`: both loading the frame and the response time out. `open`: only loading times out, as the response waits
 * for the user. `sync`: neither times out. `leaving`: resolves after 3 s in any case.
 */
export type TimeoutPolicy = 'timed' | 'open' | 'sync' | 'leaving'

/** An entry of the method table. */
export interface Method<Said = unknown, Answered = unknown> {
  /** A schema for the parameters. The frame rejects a request that does not match. */
  readonly says: v.GenericSchema<unknown, Said>
  /** A schema for the result. If a response does not match, the request rejects with `frame/failed`. */
  readonly answer: v.GenericSchema<unknown, Answered>
  /** When a request of this method times out. */
  readonly waits: TimeoutPolicy
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
// Clients match this message text of the frame.
const email = v.pipe(text, v.trim(), v.maxLength(320, 'Invalid email'), v.email('Invalid email'))
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

/** A schema for the fields of a sign-in message. */
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
/** A schema for the connected user. */
export const frameUser: v.GenericSchema<unknown, FrameUser> = v.object(userEntries)

const metadata = v.object({ name: text, description: text, url: text, icons: v.array(text) })

/** The method table of the protocol. */
export const methods: { readonly [Name in MethodName]: Method<MethodParams<Name>, MethodResult<Name>> } = {
  SWITCH_NETWORK: {
    says: v.object({ chainId: chain, rpcUrl: v.optional(text) }),
    answer: v.object({ chainId: chain }),
    waits: 'open',
  },
  CONNECT_EMAIL: {
    says: v.object({ email }),
    answer: v.object({ action: v.picklist(['VERIFY_DEVICE', 'VERIFY_OTP', 'CONNECT']) }),
    waits: 'timed',
  },
  CONNECT_DEVICE: { says: none, answer: none, waits: 'timed' },
  CONNECT_OTP: { says: v.object({ otp }), answer: none, waits: 'timed' },
  CONNECT_PASSKEY: { says: none, answer: none, waits: 'open' },
  CONNECT_WINDOW: {
    says: v.optional(v.object({ email: v.optional(email), provider: v.optional(socials) })),
    answer: v.optional(v.object({ provider: socials, userName: v.nullable(text) })),
    waits: 'open',
  },
  CONNECT_SOCIAL: {
    says: v.object({
      uri: resultUri,
      preferredAccountType: v.optional(text),
      chainId: v.optional(chain),
      siwxMessage: v.optional(siwx),
      rpcUrl: v.optional(text),
    }),
    answer: v.object({ ...userEntries, userName: v.nullish(text) }),
    waits: 'timed',
  },
  GET_SOCIAL_REDIRECT_URI: {
    says: v.object({ provider: providers }),
    answer: v.object({ uri: webLink }),
    waits: 'timed',
  },
  GET_FARCASTER_URI: {
    says: none,
    answer: v.object({ url: link(/^(https?|farcaster|warpcast):\/\//i) }),
    waits: 'open',
  },
  CONNECT_FARCASTER: { says: none, answer: v.object({ userName: text }), waits: 'open' },
  GET_USER: {
    says: v.optional(
      v.object({
        chainId: v.optional(chain),
        preferredAccountType: v.optional(text),
        socialUri: v.optional(text),
        siwxMessage: v.optional(siwx),
        rpcUrl: v.optional(text),
      }),
    ),
    answer: frameUser,
    waits: 'open',
  },
  SIGN_OUT: { says: none, answer: none, waits: 'leaving' },
  IS_CONNECTED: {
    says: v.optional(v.object({ token: text })),
    answer: v.object({ isConnected: v.boolean() }),
    waits: 'open',
  },
  GET_CHAIN_ID: { says: none, answer: v.object({ chainId: chain }), waits: 'open' },
  GET_SMART_ACCOUNT_ENABLED_NETWORKS: {
    says: none,
    answer: v.object({ smartAccountEnabledNetworks: v.array(v.number()) }),
    waits: 'open',
  },
  INIT_SMART_ACCOUNT: { says: none, answer: v.object({ address: filled, isDeployed: v.boolean() }), waits: 'open' },
  SET_PREFERRED_ACCOUNT: {
    says: v.object({ type: v.picklist(['eoa', 'smartAccount']) }),
    answer: v.object({ type: text, address: filled }),
    waits: 'sync',
  },
  RPC_REQUEST: {
    says: v.pipe(
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
    answer: v.unknown(),
    waits: 'open',
  },
  RPC_ABORT: { says: v.optional(v.object({ id: v.optional(text) })), answer: none, waits: 'open' },
  UPDATE_EMAIL: {
    says: v.object({ email }),
    answer: v.object({ action: v.picklist(['VERIFY_PRIMARY_OTP', 'VERIFY_SECONDARY_OTP']) }),
    waits: 'open',
  },
  UPDATE_EMAIL_PRIMARY_OTP: { says: v.object({ otp }), answer: none, waits: 'open' },
  UPDATE_EMAIL_SECONDARY_OTP: { says: v.object({ otp }), answer: v.object({ newEmail: email }), waits: 'open' },
  SYNC_THEME: {
    says: v.object({
      themeMode: v.optional(v.picklist(['light', 'dark'])),
      themeVariables: v.optional(v.record(text, v.union([text, v.number()]))),
      w3mThemeVariables: v.optional(v.record(text, text)),
    }),
    answer: none,
    waits: 'sync',
  },
  SYNC_DAPP_DATA: {
    says: v.object({
      metadata: v.optional(metadata),
      sdkVersion: v.optional(text),
      sdkType: v.optional(text),
      projectId: text,
    }),
    answer: none,
    waits: 'sync',
  },
  RELOAD: { says: none, answer: none, waits: 'open' },
}

/** The path of the page, on a frame's origin, where users manage their keys. It exists if READY has `wallet`. */
export const walletPath = '/wallet'

/** The path of the approval window on a frame's origin. It needs a one-time ID from the frame that opened it. */
export const approvalPath = '/approve'

/** The names of all methods. */
export const questionNames: readonly MethodName[] = Object.keys(methods) as MethodName[]
