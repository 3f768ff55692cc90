import type { Endpoint } from '@latchkey/protocol/http/endpoint'
import { maxRecordBytes } from '@latchkey/protocol/http/keys'
import { JsonDepthError, parseJson } from '@latchkey/protocol/parseJson'
import { read } from '@latchkey/protocol/parseWithSchema'
import type { Hono } from 'hono'
import { readLimitedText } from '../../http/readLimitedBody.ts'
import type { InFlightVariables } from '../../memoryLimits/inFlightBytes.ts'
import type { RequestVariables } from '../../monitoring/requestLogging.ts'
import type { Caller } from '../keysDependencies.ts'
import { KeysError } from '../keysError.ts'
import type { RequestContext } from '../requestContext.ts'

/** The Hono environment of the routes on the keys origin. */
export interface KeysEnv {
  Bindings: Caller
  Variables: { context: RequestContext } & InFlightVariables & RequestVariables
}

/** The app that serves the routes of the keys origin. */
export type KeysApp = Hono<KeysEnv>

/** A request, as an endpoint's handler receives it. */
export interface RouteRequest<Body> {
  readonly body: Body
  readonly context: RequestContext
  /** Returns a path parameter. Throws if it is invalid. */
  param(name: string): string
}

// Twice the maximum record size, because JSON escapes every quote in a record, plus some overhead.
const defaultMaxBodyBytes = maxRecordBytes * 2 + 4096

/** Serves an endpoint of the keys origin. Validates the request body, up to `maxBodyBytes`, and responds with JSON. */
export function defineKeysRoute<Body, Answer>(
  app: KeysApp,
  endpoint: Endpoint<Body, Answer>,
  work: (request: RouteRequest<Body>) => Promise<Answer>,
  { maxBodyBytes = defaultMaxBodyBytes }: { readonly maxBodyBytes?: number } = {},
): void {
  app.on(endpoint.method, endpoint.path, async (c) => {
    const body = endpoint.body
      ? await bodyOf(c.req.raw, endpoint.path, { schema: endpoint.body, maxBytes: maxBodyBytes })
      : (undefined as Body)
    return c.json((await work({ body, context: c.var.context, param: (name) => paramOf(c.req.param(name)) })) as object)
  })
}

// All path parameters are IDs or the names of steps and providers.
function paramOf(input = ''): string {
  if (!/^[\w-]{1,1400}$/.test(input)) throw new KeysError('input/invalid', 'The path is not valid')
  return input
}

async function bodyOf<Body>(
  request: Request,
  path: string,
  { schema, maxBytes }: { schema: NonNullable<Endpoint<Body>['body']>; maxBytes: number },
): Promise<Body> {
  // Requiring JSON forces a CORS preflight, because a form on another page cannot send this content type.
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? ''))
    throw new KeysError('input/invalid', 'The body is not JSON')
  const text = await readLimitedText(request, maxBytes)
  if (text === undefined) {
    if (path === '/vault/record') throw new KeysError('record/too-large', 'The record is too long')
    throw new KeysError('input/invalid', 'The body is too long')
  }
  const json = parsed(text)
  const body = read(schema, json)
  if (body === undefined) {
    if (isWrongAddress(json)) throw new KeysError('email/invalid', 'Invalid email')
    throw new KeysError('input/invalid', 'The body is not valid')
  }
  return body
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonDepthError) throw new KeysError('input/invalid', error.message)
    throw new KeysError('input/invalid', 'The body is not JSON')
  }
}

function isWrongAddress(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'email' in body && typeof body.email === 'string'
}
