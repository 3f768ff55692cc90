import * as v from 'valibot'
import { type Namespace, namespaces } from '../caip.ts'
import { popupSocialProviders } from '../constants.ts'
import { complaintAbout } from './rpcSchemas.ts'

// Page and frame talk in `{ type, id?, payload? }`. Every question stands once, in `Questions` and `questions`; names,
// answers and readers follow from there. Keys that nobody knows are dropped, types that nobody knows too.

// --- What travels --------------------------------------------------------------------------------------------------

/** A chain as it travels: a number for EVM, CAIP-2 text, or in RPC requests a bare Solana reference. */
export type WireChain = string | number

/** Which kind of account: the key's own, or the contract that it owns. */
export type WireAccountType = 'eoa' | 'smartAccount'

/** One account of the user. */
export interface WireAccount {
  readonly address: string
  readonly type: WireAccountType
}

/** The fields of a sign-in message that the frame is asked to sign, or signed. */
export interface Siwx {
  readonly accountAddress: string
  readonly chainId: string
  readonly domain: string
  readonly uri: string
  readonly version: string
  readonly nonce: string
  readonly serializedMessage?: string | undefined
  readonly notBefore?: string | undefined
  readonly statement?: string | undefined
  readonly requestId?: string | undefined
  readonly issuedAt?: string | undefined
  readonly expirationTime?: string | undefined
  readonly resources?: string[] | undefined
}

/** The connected user. `accounts[0]` is the active one and has `address`; no e-mail is null or absent, never "". */
export interface FrameUser {
  readonly address: string
  readonly chainId: WireChain
  readonly email?: string | null | undefined
  readonly smartAccountDeployed?: boolean | undefined
  readonly accounts?: WireAccount[] | undefined
  readonly preferredAccountType?: string | undefined
  /** Ours: `single` where losing one thing loses the account, so that nobody is asked to send to it without a word. */
  readonly protection?: 'single' | 'protected' | undefined
  readonly signature?: string | undefined
  readonly message?: string | undefined
  readonly siwxMessage?: Siwx | undefined
}

/** What CONNECT_SOCIAL answers: only here and with Farcaster does a name travel. */
export interface SocialUser extends FrameUser {
  readonly userName?: string | null | undefined
}

/** What an e-mail login leads to. */
export type ConnectEmailAction = 'VERIFY_DEVICE' | 'VERIFY_OTP' | 'CONNECT'
/** What an e-mail change leads to. */
export type UpdateEmailAction = 'VERIFY_PRIMARY_OTP' | 'VERIFY_SECONDARY_OTP'
/** A provider that logs in through a popup. */
export type PopupProvider = (typeof popupSocialProviders)[number]

/** Every social log-in: those, and Farcaster. */
export type SocialName = PopupProvider | 'farcaster'

/** What GET_USER may say; a frame tolerates the absence of all of it. */
export interface GetUser {
  readonly chainId?: WireChain | undefined
  readonly preferredAccountType?: string | undefined
  readonly socialUri?: string | undefined
  readonly siwxMessage?: Siwx | undefined
  readonly rpcUrl?: string | undefined
}

/**
 * What CONNECT_SOCIAL says: `uri` is what the popup gave its opener, unchanged. A page that took the port has not looked at the popup
 * (under COOP it cannot): it gives the `uri` of GET_SOCIAL_REDIRECT_URI, and asks again every 30 s until the frame's own popup is back.
 */
export interface ConnectSocial {
  readonly uri: string
  readonly preferredAccountType?: string | undefined
  readonly chainId?: WireChain | undefined
  readonly siwxMessage?: Siwx | undefined
  readonly rpcUrl?: string | undefined
}

/** A wallet request. A frame without `chainId` uses its current chain. */
export interface RpcRequest {
  readonly method: string
  readonly params?: unknown
  readonly chainId?: WireChain | undefined
  readonly chainNamespace?: Namespace | undefined
  readonly rpcUrl?: string | undefined
}

/** The page's look; what is absent stays as it was. */
export interface ThemeData {
  readonly themeMode?: 'light' | 'dark' | undefined
  readonly themeVariables?: Record<string, string | number> | undefined
  readonly w3mThemeVariables?: Record<string, string> | undefined
}

/** What the page says about itself; decoration, never proof. */
export interface DappData {
  readonly metadata?:
    | { readonly name: string; readonly description: string; readonly url: string; readonly icons: string[] }
    | undefined
  readonly sdkVersion?: string | undefined
  readonly sdkType?: string | undefined
  readonly projectId: string
}

// --- The questions -------------------------------------------------------------------------------------------------

/** Every question of the page with RPC_ABORT: what it says, and what its success says. */
export interface Methods {
  SWITCH_NETWORK: {
    says: { readonly chainId: WireChain; readonly rpcUrl?: string | undefined }
    answer: { readonly chainId: WireChain }
  }
  CONNECT_EMAIL: { says: { readonly email: string }; answer: { readonly action: ConnectEmailAction } }
  CONNECT_DEVICE: { says: undefined; answer: undefined }
  CONNECT_OTP: { says: { readonly otp: string }; answer: undefined }
  /** Ours, asked of frames whose READY says `passkey`: comes in by passkey, or begins with one, on a screen of the frame. */
  CONNECT_PASSKEY: { says: undefined; answer: undefined }
  /**
   * Ours, asked of frames whose READY says `window`: logs in, in a window of the frame's origin that the visitor opens from the frame.
   * Such a frame stands on a page of another site and answers no other log-in. `provider` is the social log-in that the window begins
   * with; the answer names the one that it ended with, if any.
   */
  CONNECT_WINDOW: {
    says: { readonly email?: string | undefined; readonly provider?: SocialName | undefined } | undefined
    answer: { readonly provider: SocialName; readonly userName: string | null } | undefined
  }
  CONNECT_SOCIAL: { says: ConnectSocial; answer: SocialUser }
  GET_SOCIAL_REDIRECT_URI: { says: { readonly provider: PopupProvider }; answer: { readonly uri: string } }
  GET_FARCASTER_URI: { says: undefined; answer: { readonly url: string } }
  CONNECT_FARCASTER: { says: undefined; answer: { readonly userName: string } }
  GET_USER: { says: GetUser | undefined; answer: FrameUser }
  SIGN_OUT: { says: undefined; answer: undefined }
  IS_CONNECTED: { says: { readonly token: string } | undefined; answer: { readonly isConnected: boolean } }
  GET_CHAIN_ID: { says: undefined; answer: { readonly chainId: WireChain } }
  GET_SMART_ACCOUNT_ENABLED_NETWORKS: {
    says: undefined
    answer: { readonly smartAccountEnabledNetworks: number[] }
  }
  INIT_SMART_ACCOUNT: { says: undefined; answer: { readonly address: string; readonly isDeployed: boolean } }
  SET_PREFERRED_ACCOUNT: {
    says: { readonly type: WireAccountType }
    answer: { readonly type: string; readonly address: string }
  }
  RPC_REQUEST: { says: RpcRequest; answer: unknown }
  /** Without `id`, of the message that asked, every pending request is meant; plain clients send none. */
  RPC_ABORT: { says: { readonly id?: string | undefined } | undefined; answer: undefined }
  UPDATE_EMAIL: { says: { readonly email: string }; answer: { readonly action: UpdateEmailAction } }
  UPDATE_EMAIL_PRIMARY_OTP: { says: { readonly otp: string }; answer: undefined }
  UPDATE_EMAIL_SECONDARY_OTP: { says: { readonly otp: string }; answer: { readonly newEmail: string } }
  SYNC_THEME: { says: ThemeData; answer: undefined }
  SYNC_DAPP_DATA: { says: DappData; answer: undefined }
  RELOAD: { says: undefined; answer: undefined }
}

/** The name of a question, the type without its prefix. */
export type MethodName = keyof Methods
/** What a question says. */
export type MethodParams<Name extends MethodName> = Methods[Name]['says']
/** What the success of a question says. */
export type MethodResult<Name extends MethodName> = Methods[Name]['answer']

/**
 * How a question waits. `timed`: for the frame to load and then for the answer; `open`: for the frame, and then for
 * as long as a person takes; `sync`: for both without end; `leaving`: the caller goes on after 3 s whatever comes.
 */
export type TimeoutPolicy = 'timed' | 'open' | 'sync' | 'leaving'

/** One row of the table. */
export interface Method<Said = unknown, Answered = unknown> {
  readonly says: v.GenericSchema<unknown, Said>
  readonly answer: v.GenericSchema<unknown, Answered>
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
// "Invalid email" is the one text of a frame that clients know by heart.
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

/** Reads the fields of a sign-in message. */
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
/** Reads the connected user. */
export const frameUser: v.GenericSchema<unknown, FrameUser> = v.object(userEntries)

const metadata = v.object({ name: text, description: text, url: text, icons: v.array(text) })

/** The wire, as a table: each question once. */
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

/** Where the page of a frame's origin is on which owners look after their keys, if READY says `wallet`. */
export const walletPath = '/wallet'

/** Where a frame's origin has the window in which approvals are given; it needs a one-time id of the frame that opened it. */
export const approvalPath = '/approve'

/** The names of all questions. */
export const questionNames: readonly MethodName[] = Object.keys(methods) as MethodName[]
