import * as v from 'valibot'
import { defineEndpoint, type Endpoint } from './endpoint.ts'

/** `GET /health`: responds as long as the process is running. */
export const getHealth: Endpoint<undefined, { readonly status: 'ok' }> = defineEndpoint({
  method: 'GET',
  path: '/health',
  answer: v.object({ status: v.literal('ok') }),
})

const storeStates = ['ok', 'out of memory', 'disk full', 'unavailable'] as const
const readinessStates = ['ok', 'degraded', 'unavailable', 'draining'] as const

/** The state of a store. A store that is out of memory or disk space still responds, but rejects writes. */
export type StoreState = (typeof storeStates)[number]

/** Whether the server can handle requests, and the state of each store that it uses. */
export interface ReadinessAnswer {
  /** `degraded`: the server can handle requests, although a store is not `ok`. `draining`: the server is shutting down. */
  readonly status: (typeof readinessStates)[number]
  /** PostgreSQL. Absent if the server does not use it. */
  readonly database?: StoreState | undefined
  /** The relay's Redis. Absent if the relay keeps its messages in memory. */
  readonly relay?: StoreState | undefined
}

/** `GET /ready`: returns whether the server can handle requests. If it cannot, the same response has the status 503. */
export const getReadiness: Endpoint<undefined, ReadinessAnswer> = defineEndpoint({
  method: 'GET',
  path: '/ready',
  answer: v.object({
    status: v.picklist(readinessStates),
    database: v.optional(v.picklist(storeStates)),
    relay: v.optional(v.picklist(storeStates)),
  }),
})
