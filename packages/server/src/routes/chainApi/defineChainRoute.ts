import type { Endpoint } from '@latchkey/protocol/http/endpoint'
import type { Hono } from 'hono'
import { getQueryParam } from 'hono/utils/url'
import * as v from 'valibot'
import { HttpError, notConfigured } from '../../errors/httpError.ts'
import { prepareHeaders, respondPrepared } from '../../http/preparedResponse.ts'
import { readLimitedJson } from '../../http/readLimitedBody.ts'
import { authorizeOrigin, authorizeProject } from '../../projects/authorizeProject.ts'
import { readProjectRequest } from '../../projects/readProjectRequest.ts'
import type { Caller, ServerDependencies } from '../../serverDependencies.ts'

/** The maximum size of a request body, in bytes. Signatures of undeployed contracts can be long. */
const bodyBytes = 262_144

/** A parsed request to the chain API. */
export interface ChainRequest<Body, Query> {
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  readonly body: Body
  /** Aborted if the client disconnects. */
  readonly signal: AbortSignal
  /** The IP address of the client, if the listener knows it. */
  readonly clientAddress: string | undefined
}

/**
 * Adds a route of the chain API. The project is checked, and the query and body are parsed with the endpoint's schemas. A body
 * of any content type is accepted, because clients send `text/plain` to avoid a CORS preflight. Parameters that are not in the
 * schema are ignored. An invalid query is rejected with 400, and an invalid body with 422, unless `bodyStatus` is another
 * status.
 *
 * With `isProjectOptional`, a request without a project ID is accepted from the origins of all projects.
 */
export function defineChainRoute<Body, Answer, Query>(
  app: Hono,
  { projects }: Pick<ServerDependencies, 'projects'>,
  endpoint: Endpoint<Body, Answer, Query> & { readonly query: v.GenericSchema<unknown, Query> },
  work: (request: ChainRequest<Body, Query>) => Promise<Answer | WithCacheControl<Answer>>,
  {
    bodyStatus = 422,
    isProjectOptional = false,
  }: { readonly bodyStatus?: 400 | 422; readonly isProjectOptional?: boolean } = {},
): void {
  app.on(endpoint.method, endpoint.path, async (c) => {
    const request = readProjectRequest(c.req)
    const json = endpoint.body ? await readLimitedJson(c.req.raw, bodyBytes) : undefined
    const named = v.safeParse(v.object({ projectId: v.string() }), json)
    const projectId = request.projectId ?? (named.success ? named.output.projectId : undefined)
    if (isProjectOptional && projectId === undefined) await authorizeOrigin(projects, request)
    else await authorizeProject(projects, { ...request, projectId }, 401)
    const query = parse(endpoint.query, queryOf(c.req.url), 400)
    const body = (endpoint.body ? parse(endpoint.body, json, bodyStatus) : undefined) as Body
    const result = await work({
      params: c.req.param() as Record<string, string>,
      query,
      body,
      signal: c.req.raw.signal,
      clientAddress: (c.env as Caller | undefined)?.address,
    })
    const { answer, cacheControl } =
      result instanceof WithCacheControl ? result : { answer: result, cacheControl: 'no-store' }
    return respondPrepared(c, {
      status: 200,
      // With `apiVersion=2`, clients expect an empty list in place of a value that does not exist.
      body: JSON.stringify(answer ?? []),
      headers: prepareHeaders({ 'content-type': 'application/json', 'cache-control': cacheControl }),
    })
  })
}

/** A response that clients can cache. */
export class WithCacheControl<Answer> {
  readonly answer: Answer
  readonly cacheControl: string
  constructor(answer: Answer, cacheControl: string) {
    this.answer = answer
    this.cacheControl = cacheControl
  }
}

/** Returns the service that a route needs. If it is absent, the route responds with 503. */
export function configured<Part>(part: Part | undefined, field: string): Part {
  if (part === undefined) throw notConfigured(field)
  return part
}

/** Returns the query parameters. Clients send empty parameters for missing values. */
function queryOf(url: string): Readonly<Record<string, string>> {
  const query = getQueryParam(url) as Record<string, string>
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
}

function parse<Output>(schema: v.GenericSchema<unknown, Output>, value: unknown, status: 400 | 422): Output {
  const parsed = v.safeParse(schema, value)
  if (parsed.success) return parsed.output
  const field = v.getDotPath(parsed.issues[0]) ?? (status === 400 ? 'query' : 'body')
  throw new HttpError(status, field, `"${field}" is not valid`)
}
