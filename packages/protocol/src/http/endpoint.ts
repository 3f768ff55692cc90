import type { GenericSchema } from 'valibot'

/** The method, path, body and response of an endpoint. */
interface EndpointContract<Body, Answer> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The path from the root of the origin. `:name` is a parameter. */
  readonly path: string
  /** A schema for the JSON body of the request. Absent if there is none. */
  readonly body?: GenericSchema<unknown, Body>
  /** A schema for the JSON body of a successful response. `v.unknown()` for an image, or if it is not used. */
  readonly answer: GenericSchema<unknown, Answer>
}

/** The query of an endpoint. */
interface EndpointQuery<Query> {
  /** A schema that parses the query's texts. */
  readonly query: GenericSchema<unknown, Query>
}

/**
 * The contract of an HTTP endpoint, shared by its client and its server: the server parses the query and the body, the client parses the
 * response. Without `Query`, the endpoint has no query.
 */
export type Endpoint<Body = undefined, Answer = unknown, Query = never> = EndpointContract<Body, Answer> &
  ([Query] extends [never] ? unknown : EndpointQuery<Query>)

/**
 * Declares an endpoint. The constant states its types as well, because packages are built with isolated declarations.
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
