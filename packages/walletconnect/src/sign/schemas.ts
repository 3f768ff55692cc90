import { topicSchema } from '@latchkey/protocol/relay'
import * as v from 'valibot'

/** A peer's self-reported metadata, which is not verified. */
export interface Metadata {
  /** The app's name. Empty if the peer did not report a valid name. */
  readonly name: string
  /** A short description of the app. Empty if the peer did not report a valid description. */
  readonly description: string
  /** The app's URL. It is not validated, so do not open it or display it as trusted. */
  readonly url: string
  /** The URLs of the app's icons, which are not validated. */
  readonly icons: readonly string[]
  /** The links that open the app: a custom scheme (`native`) and a universal link. `undefined` if there are no links. */
  readonly redirect?: { readonly native?: string; readonly universal?: string; readonly linkMode?: boolean } | undefined
}

/** A requested namespace (CAIP-25). */
export interface ProposedNamespace {
  /** The CAIP-2 chain IDs. Absent if the namespace's key is itself a chain ID. */
  readonly chains?: readonly string[] | undefined
  /** The methods that the dapp can request from the wallet. */
  readonly methods: readonly string[]
  /** The events that the wallet can emit to the dapp, such as `chainChanged`. */
  readonly events: readonly string[]
}

/** A granted namespace (CAIP-25). */
export interface GrantedNamespace extends ProposedNamespace {
  /** The CAIP-10 IDs of the accounts that the dapp can use. The chains of these accounts are the granted chains. */
  readonly accounts: readonly string[]
}

/** The requested namespaces, keyed by CAIP-2 namespace or full chain ID. */
export type ProposedNamespaces = Readonly<Record<string, ProposedNamespace>>
/** The granted namespaces, keyed by CAIP-2 namespace or full chain ID. */
export type GrantedNamespaces = Readonly<Record<string, GrantedNamespace>>

const text = v.pipe(v.string(), v.maxLength(4_096))
const texts = v.pipe(v.array(v.pipe(v.string(), v.maxLength(512))), v.maxLength(2_000))
const publicKey = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/i))
const seconds = v.pipe(v.number(), v.integer(), v.minValue(0))

/** The schema for peer metadata. Invalid fields are replaced with empty values. */
export const metadataSchema: v.GenericSchema<unknown, Metadata> = v.object({
  name: v.fallback(text, ''),
  description: v.fallback(text, ''),
  url: v.fallback(text, ''),
  icons: v.fallback(v.array(text), []),
  redirect: v.fallback(
    v.optional(
      v.object({
        native: v.exactOptional(text),
        universal: v.exactOptional(text),
        linkMode: v.exactOptional(v.boolean()),
      }),
    ),
    undefined,
  ),
})

const proposedSchema: v.GenericSchema<unknown, ProposedNamespaces> = v.record(
  v.string(),
  v.object({ chains: v.optional(texts), methods: texts, events: texts }),
)

/** The schema for granted namespaces. */
export const grantedSchema: v.GenericSchema<unknown, GrantedNamespaces> = v.record(
  v.string(),
  v.object({ chains: v.optional(texts), methods: texts, events: texts, accounts: texts }),
)

const properties = v.optional(v.nullable(v.record(v.string(), v.unknown())))

/** The parameters of `wc_sessionPropose`. */
export interface Proposal {
  /** The dapp's public key for the session (X25519, in hex) and its metadata. */
  readonly proposer: { readonly publicKey: string; readonly metadata: Metadata }
  /** The namespaces without which the dapp cannot work. `approve()` rejects if one of them is not granted. */
  readonly requiredNamespaces: ProposedNamespaces
  /** Further namespaces that the dapp requests. The wallet can grant any part of them. */
  readonly optionalNamespaces: ProposedNamespaces
  /** Properties that apply to the whole session (CAIP-25), if any. */
  readonly sessionProperties?: Readonly<Record<string, unknown>> | null | undefined
  /** When the proposal expires, in Unix seconds. */
  readonly expiryTimestamp?: number | undefined
}

/** The schema for `wc_sessionPropose` parameters. */
export const proposalSchema: v.GenericSchema<unknown, Proposal> = v.object({
  proposer: v.object({ publicKey, metadata: metadataSchema }),
  requiredNamespaces: v.optional(proposedSchema, {}),
  optionalNamespaces: v.optional(proposedSchema, {}),
  sessionProperties: properties,
  expiryTimestamp: v.optional(seconds),
})

/** The schema for the response to a proposal. */
export const proposalResponseSchema: v.GenericSchema<unknown, { readonly responderPublicKey: string }> = v.object({
  responderPublicKey: publicKey,
})

/** The parameters of `wc_sessionSettle`. */
export interface Settlement {
  readonly namespaces: GrantedNamespaces
  readonly controller: { readonly publicKey: string; readonly metadata: Metadata }
  /** When the session expires, in Unix seconds. */
  readonly expiry: number
  readonly sessionProperties?: Readonly<Record<string, unknown>> | null | undefined
}

/** The schema for `wc_sessionSettle` parameters. */
export const settlementSchema: v.GenericSchema<unknown, Settlement> = v.object({
  namespaces: grantedSchema,
  controller: v.object({ publicKey, metadata: metadataSchema }),
  expiry: seconds,
  sessionProperties: properties,
})

/** A request in a session. */
export interface SessionRequest {
  /** The CAIP-2 ID of the chain that the request is for. */
  readonly chainId: string
  /** The method and its parameters. `expiryTimestamp` is in Unix seconds. */
  readonly request: {
    readonly method: string
    readonly params?: unknown
    readonly expiryTimestamp?: number | undefined
  }
}

/** The schema for `wc_sessionRequest` parameters. */
export const sessionRequestSchema: v.GenericSchema<unknown, SessionRequest> = v.object({
  chainId: v.pipe(v.string(), v.maxLength(128)),
  request: v.object({
    method: v.pipe(v.string(), v.maxLength(256)),
    params: v.optional(v.unknown()),
    expiryTimestamp: v.optional(seconds),
  }),
})

/** The schema for `wc_sessionEvent` parameters. */
export const eventSchema: v.GenericSchema<
  unknown,
  { readonly chainId: string; readonly event: { readonly name: string; readonly data?: unknown } }
> = v.object({
  chainId: v.pipe(v.string(), v.maxLength(128)),
  event: v.object({ name: v.pipe(v.string(), v.maxLength(256)), data: v.optional(v.unknown()) }),
})

/** The schema for `wc_sessionUpdate` parameters. */
export const updateSchema: v.GenericSchema<unknown, { readonly namespaces: GrantedNamespaces }> = v.object({
  namespaces: grantedSchema,
})

/** The schema for `wc_sessionExtend` parameters. If `expiry` is missing, the session is extended by the maximum lifetime. */
export const extendSchema: v.GenericSchema<unknown, { readonly expiry?: number | undefined }> = v.object({
  expiry: v.optional(seconds),
})

/** The schema for `wc_sessionDelete` parameters and for errors. */
export const reasonSchema: v.GenericSchema<unknown, { readonly code: number; readonly message: string }> = v.object({
  code: v.fallback(v.number(), 0),
  message: v.fallback(text, ''),
})

/** A stored session. */
export interface Session {
  /** The topic of the session's messages, which identifies the session. */
  readonly topic: string
  /** The topic of the pairing over which the session was opened. */
  readonly pairingTopic: string
  /** When the session expires, in Unix seconds. */
  readonly expiry: number
  /** Whether this client is the wallet. Only the wallet can update and extend the session. */
  readonly controller: boolean
  /** The granted namespaces, as of the latest update. */
  readonly namespaces: GrantedNamespaces
  /** This peer's public key (X25519, in hex) and metadata. */
  readonly self: { readonly publicKey: string; readonly metadata: Metadata }
  /** The other peer's public key (X25519, in hex) and its self-reported metadata. */
  readonly peer: { readonly publicKey: string; readonly metadata: Metadata }
  /** Properties that apply to the whole session (CAIP-25), if the wallet set any. */
  readonly sessionProperties?: Readonly<Record<string, unknown>> | null | undefined
  /** The ID of the wallet's latest update. Older updates that arrive later are ignored. */
  readonly lastUpdate?: number | undefined
  /** The ID of the wallet's latest extension. Older extensions that arrive later are ignored. */
  readonly lastExtend?: number | undefined
  /** The ID of the wallet's latest event. Older events that arrive later are ignored. */
  readonly lastEvent?: number | undefined
}

const requestId = v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)))
const participant = v.object({ publicKey, metadata: metadataSchema })

/** The schema for a stored session. */
export const sessionSchema: v.GenericSchema<unknown, Session> = v.object({
  topic: topicSchema,
  pairingTopic: v.string(),
  expiry: seconds,
  controller: v.boolean(),
  namespaces: grantedSchema,
  self: participant,
  peer: participant,
  sessionProperties: properties,
  lastUpdate: requestId,
  lastExtend: requestId,
  lastEvent: requestId,
})
