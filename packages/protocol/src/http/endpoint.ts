import type { GenericSchema } from 'valibot'

/** An endpoint's method, path, request body and response. */
interface EndpointContract<Body, Answer> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The path, relative to the origin's root. `:name` is a parameter. */
  readonly path: string
  /** The schema for the JSON body of the request. Absent if the request has no body. */
  readonly body?: GenericSchema<unknown, Body>
  /** The schema for the JSON body of a successful response. `v.unknown()` if the body is an image or is not used. */
  readonly answer: GenericSchema<unknown, Answer>
}

/** An endpoint's query. */
interface EndpointQuery<Query> {
  /** The schema that parses the query string's values. */
  readonly query: GenericSchema<unknown, Query>
}

/**
 * The contract of an HTTP endpoint, shared by the client and the server. The server uses it to parse the query and the request
 * body, and the client to parse the response. If `Query` is omitted, the endpoint has no query.
 */
export type Endpoint<Body = undefined, Answer = unknown, Query = never> = EndpointContract<Body, Answer> &
  ([Query] extends [never] ? unknown : EndpointQuery<Query>)

/**
 * Declares an endpoint. The constant also needs a type annotation, because packages are built with isolated declarations. The
 * endpoint's error codes are in the `EndpointErrors` list at the end of the same file.
 *
 * @example
 * const getThing: Endpoint<undefined, Thing> = defineEndpoint({ method: 'GET', path: '/things/:id', answer: thing })
 */
/* @__NO_SIDE_EFFECTS__ */
export function defineEndpoint<Body, Answer, Query = never>(
  endpoint: Endpoint<Body, Answer, Query>,
): Endpoint<Body, Answer, Query> {
  return endpoint
}

/**
 * Endpoints with their error codes, in addition to the errors that any endpoint of the API can respond with. Each list is next to
 * the declarations instead of in them, because only servers need it, and page bundles would otherwise include it.
 */
export type EndpointErrors<Code extends string> = readonly (readonly [
  endpoint: Pick<Endpoint, 'method' | 'path'>,
  ...codes: Code[],
])[]
