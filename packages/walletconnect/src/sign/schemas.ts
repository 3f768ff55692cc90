import { topicSchema } from '@latchkey/protocol/relay'
import * as v from 'valibot'

/** The self-reported metadata of a peer. Unverified. */
export interface Metadata {
  readonly name: string
  readonly description: string
  readonly url: string
  readonly icons: readonly string[]
  readonly redirect?: { readonly native?: string; readonly universal?: string; readonly linkMode?: boolean } | undefined
}

/** A requested namespace (CAIP-25). */
export interface ProposedNamespace {
  readonly chains?: readonly string[] | undefined
  readonly methods: readonly string[]
  readonly events: readonly string[]
}

/** A granted namespace. `accounts` are CAIP-10. */
export interface GrantedNamespace extends ProposedNamespace {
  readonly accounts: readonly string[]
}

/** Requested namespaces by CAIP-2 namespace or full chain ID. */
export type ProposedNamespaces = Readonly<Record<string, ProposedNamespace>>
/** Granted namespaces by CAIP-2 namespace or full chain ID. */
export type GrantedNamespaces = Readonly<Record<string, GrantedNamespace>>

const text = v.pipe(v.string(), v.maxLength(4_096))
const texts = v.pipe(v.array(v.pipe(v.string(), v.maxLength(512))), v.maxLength(2_000))
const publicKey = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/i))
const seconds = v.pipe(v.number(), v.integer(), v.minValue(0))

/** Schema of peer metadata. Invalid fields are replaced by empty values. */
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

/** Schema of granted namespaces. */
export const grantedSchema: v.GenericSchema<unknown, GrantedNamespaces> = v.record(
  v.string(),
  v.object({ chains: v.optional(texts), methods: texts, events: texts, accounts: texts }),
)

const properties = v.optional(v.nullable(v.record(v.string(), v.unknown())))

/** The parameters of `wc_sessionPropose`. */
export interface Proposal {
  readonly proposer: { readonly publicKey: string; readonly metadata: Metadata }
  readonly requiredNamespaces: ProposedNamespaces
  readonly optionalNamespaces: ProposedNamespaces
  readonly sessionProperties?: Readonly<Record<string, unknown>> | null | undefined
  /** Unix seconds. */
  readonly expiryTimestamp?: number | undefined
}

/** Schema of `wc_sessionPropose` parameters. */
export const proposalSchema: v.GenericSchema<unknown, Proposal> = v.object({
  proposer: v.object({ publicKey, metadata: metadataSchema }),
  requiredNamespaces: v.optional(proposedSchema, {}),
  optionalNamespaces: v.optional(proposedSchema, {}),
  sessionProperties: properties,
  expiryTimestamp: v.optional(seconds),
})

/** Schema of the response to a proposal. */
export const proposalResponseSchema: v.GenericSchema<unknown, { readonly responderPublicKey: string }> = v.object({
  responderPublicKey: publicKey,
})

/** The parameters of `wc_sessionSettle`. */
export interface Settlement {
  readonly namespaces: GrantedNamespaces
  readonly controller: { readonly publicKey: string; readonly metadata: Metadata }
  /** Unix seconds. */
  readonly expiry: number
  readonly sessionProperties?: Readonly<Record<string, unknown>> | null | undefined
}

/** Schema of `wc_sessionSettle` parameters. */
export const settlementSchema: v.GenericSchema<unknown, Settlement> = v.object({
  namespaces: grantedSchema,
  controller: v.object({ publicKey, metadata: metadataSchema }),
  expiry: seconds,
  sessionProperties: properties,
})

/** A request over a session. */
export interface SessionRequest {
  readonly chainId: string
  readonly request: {
    readonly method: string
    readonly params?: unknown
    readonly expiryTimestamp?: number | undefined
  }
}

/** Schema of `wc_sessionRequest` parameters. */
export const sessionRequestSchema: v.GenericSchema<unknown, SessionRequest> = v.object({
  chainId: v.pipe(v.string(), v.maxLength(128)),
  request: v.object({
    method: v.pipe(v.string(), v.maxLength(256)),
    params: v.optional(v.unknown()),
    expiryTimestamp: v.optional(seconds),
  }),
})

/** Schema of `wc_sessionEvent` parameters. */
export const eventSchema: v.GenericSchema<
  unknown,
  { readonly chainId: string; readonly event: { readonly name: string; readonly data?: unknown } }
> = v.object({
  chainId: v.pipe(v.string(), v.maxLength(128)),
  event: v.object({ name: v.pipe(v.string(), v.maxLength(256)), data: v.optional(v.unknown()) }),
})

/** Schema of `wc_sessionUpdate` parameters. */
export const updateSchema: v.GenericSchema<unknown, { readonly namespaces: GrantedNamespaces }> = v.object({
  namespaces: grantedSchema,
})

/** Schema of `wc_sessionExtend` parameters. Without `expiry`, the session is extended by the maximum lifetime. */
export const extendSchema: v.GenericSchema<unknown, { readonly expiry?: number | undefined }> = v.object({
  expiry: v.optional(seconds),
})

/** Schema of `wc_sessionDelete` parameters and of errors. */
export const reasonSchema: v.GenericSchema<unknown, { readonly code: number; readonly message: string }> = v.object({
  code: v.fallback(v.number(), 0),
  message: v.fallback(text, ''),
})

/** A stored session. */
export interface Session {
  readonly topic: string
  readonly pairingTopic: string
  /** Unix seconds. */
  readonly expiry: number
  /** Whether we are the wallet. Only the wallet can update and extend the session. */
  readonly controller: boolean
  readonly namespaces: GrantedNamespaces
  readonly self: { readonly publicKey: string; readonly metadata: Metadata }
  readonly peer: { readonly publicKey: string; readonly metadata: Metadata }
  readonly sessionProperties?: Readonly<Record<string, unknown>> | null | undefined
  /** The IDs of the wallet's latest update, extension and event. Older messages that arrive later are ignored. */
  readonly lastUpdate?: number | undefined
  readonly lastExtend?: number | undefined
  readonly lastEvent?: number | undefined
}

const requestId = v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)))
const participant = v.object({ publicKey, metadata: metadataSchema })

/** Schema of a stored session. */
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
