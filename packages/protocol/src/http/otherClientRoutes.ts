import * as v from 'valibot'
import { type ApiErrorCode, identityQuery } from './apiRoutes.ts'
import { defineEndpoint, type Endpoint, type EndpointErrors } from './endpoint.ts'
import type { Identity } from './url.ts'

// The endpoints of the server that Latchkey's pages do not call: those for other clients, for wallets and for operators.

// --- Other clients -------------------------------------------------------------------------------------------------

/** A feature of a project. */
export interface ProjectFeature {
  /** The feature's name, such as `swap`. */
  readonly id: string
  /** Whether pages of the project can use the feature. */
  readonly isEnabled: boolean
  /** The feature's options, such as the names of providers. */
  readonly config: readonly string[]
}

/** `GET /appkit/v1/config`: returns the features of the project, or `null` if the page can choose them. */
export const getProjectConfig: Endpoint<undefined, { readonly features: readonly ProjectFeature[] | null }, Identity> =
  defineEndpoint({
    method: 'GET',
    path: '/appkit/v1/config',
    query: identityQuery,
    answer: v.object({
      features: v.nullable(v.array(v.object({ id: v.string(), isEnabled: v.boolean(), config: v.array(v.string()) }))),
    }),
  })

/** The limits of a project's plan. */
export interface ProjectLimits {
  /** The plan. Servers without plans return `pro`. */
  readonly tier: string
  /** Whether the project has made more JSON-RPC requests than the plan allows. */
  readonly isAboveRpcLimit: boolean
  /** Whether the project has more monthly active users than the plan allows. */
  readonly isAboveMauLimit: boolean
}

/** `GET /appkit/v1/project-limits`: returns whether the project is above the limits of its plan. */
export const getProjectLimits: Endpoint<undefined, { readonly planLimits: ProjectLimits }, Identity> = defineEndpoint({
  method: 'GET',
  path: '/appkit/v1/project-limits',
  query: identityQuery,
  answer: v.object({
    planLimits: v.object({ tier: v.string(), isAboveRpcLimit: v.boolean(), isAboveMauLimit: v.boolean() }),
  }),
})

/** `GET /v1/supported-chains`: returns the CAIP-2 IDs of the chains with a node, by protocol. */
export const getSupportedChains: Endpoint<
  undefined,
  { readonly http: readonly string[]; readonly ws: readonly string[] }
> = defineEndpoint({
  method: 'GET',
  path: '/v1/supported-chains',
  answer: v.object({ http: v.array(v.string()), ws: v.array(v.string()) }),
})

// --- WalletConnect's Verify API ------------------------------------------------------------------------------------

/** The key that verifies attestations. */
export interface AttestationKey {
  /** A JSON Web Key (RFC 7517). */
  readonly publicKey: { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string }
  /** When to request the key again, in Unix seconds. */
  readonly expiresAt: number
}

const base64Url = v.pipe(v.string(), v.regex(/^[\w-]{43}$/))

/** `GET /v3/public-key`: returns the key that verifies attestations. */
export const getAttestationKey: Endpoint<undefined, AttestationKey> = defineEndpoint({
  method: 'GET',
  path: '/v3/public-key',
  answer: v.object({
    publicKey: v.object({ kty: v.literal('EC'), crv: v.literal('P-256'), x: base64Url, y: base64Url }),
    expiresAt: v.number(),
  }),
})

// --- Operators -----------------------------------------------------------------------------------------------------

/** `GET /health`: responds as long as the process is running. */
export const getHealth: Endpoint<undefined, { readonly status: 'ok' }> = defineEndpoint({
  method: 'GET',
  path: '/health',
  answer: v.object({ status: v.literal('ok') }),
})

const storeStates = ['ok', 'out of memory', 'disk full', 'unavailable'] as const
const readinessStates = ['ok', 'degraded', 'unavailable', 'draining'] as const

/** The state of a store. One that is out of memory or disk space responds, but rejects writes. */
export type StoreState = (typeof storeStates)[number]

/** Whether the server can take requests, with the state of each store that it uses. */
export interface ReadinessAnswer {
  /** `degraded`: it can take requests, although a store is not `ok`. `draining`: it is shutting down. */
  readonly status: (typeof readinessStates)[number]
  /** PostgreSQL. Absent if the server does not use it. */
  readonly database?: StoreState | undefined
  /** The relay's Redis. Absent if the relay keeps its messages in memory. */
  readonly relay?: StoreState | undefined
}

/** `GET /ready`: returns whether the server can take requests. If it cannot, the same response has the status 503. */
export const getReadiness: Endpoint<undefined, ReadinessAnswer> = defineEndpoint({
  method: 'GET',
  path: '/ready',
  answer: v.object({
    status: v.picklist(readinessStates),
    database: v.optional(v.picklist(storeStates)),
    relay: v.optional(v.picklist(storeStates)),
  }),
})

/** The errors of these endpoints, in addition to `commonApiErrors`. */
export const serverErrors: EndpointErrors<ApiErrorCode> = [
  [getProjectConfig, '401 projectId', '401 origin'],
  [getProjectLimits, '401 projectId', '401 origin'],
]
