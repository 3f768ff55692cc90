import * as v from 'valibot'
import { defineEndpoint, type Endpoint, type EndpointErrors } from './endpoint.ts'
import { type ApiErrorCode, identityQuery } from './publicRoutes.ts'
import type { Identity } from './url.ts'

// The project's settings, for other clients. Latchkey's pages do not request them.

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

/** The errors of these endpoints, in addition to `commonApiErrors`. */
export const appKitErrors: EndpointErrors<ApiErrorCode> = [
  [getProjectConfig, '401 projectId', '401 origin'],
  [getProjectLimits, '401 projectId', '401 origin'],
]
