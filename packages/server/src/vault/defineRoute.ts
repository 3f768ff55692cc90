import type { VaultCall } from '@latchkey/protocol/http/vault'
import { maxRecordBytes } from '@latchkey/protocol/http/vault'
import { read } from '@latchkey/protocol/schemas'
import type { Hono } from 'hono'
import type { InFlightVariables } from '../inFlightRequests.ts'
import { JsonDepthError, parseJson } from '../parseJson.ts'
import { readLimitedText } from '../readLimitedBody.ts'
import type { RequestVariables } from '../requestLogging.ts'
import type { RequestContext } from './requestContext.ts'
import { VaultError } from './vaultError.ts'
import type { Caller } from './vaultPorts.ts'

/** What the routes of the keys origin share: who asks, and what the request holds. */
export interface VaultEnv {
  Bindings: Caller
  Variables: { visit: RequestContext } & InFlightVariables & RequestVariables
}

/** The routes of the keys origin. */
export type VaultApp = Hono<VaultEnv>

/** A call as its route sees it. */
export interface RouteRequest<Body> {
  readonly body: Body
  readonly visit: RequestContext
  /** A parameter of the path. */
  param(name: string): string
}

// UTF-8, and every quote of the record escaped: more than any record that may be.
const bodyMostOfAll = maxRecordBytes * 2 + 4096

/** Serves one call of the contract: its body is read as agreed, its answer is JSON. `bodyMost`: the most bytes of a body. */
export function defineRoute<Body, Answer>(
  app: VaultApp,
  call: VaultCall<Body, Answer>,
  work: (request: RouteRequest<Body>) => Promise<Answer>,
  { maxBodyBytes = bodyMostOfAll }: { readonly maxBodyBytes?: number } = {},
): void {
  app.on(call.method, call.path, async (c) => {
    const body = call.body
      ? await bodyOf(c.req.raw, call.path, { schema: call.body, maxBytes: maxBodyBytes })
      : (undefined as Body)
    return c.json((await work({ body, visit: c.var.visit, param: (name) => paramOf(c.req.param(name)) })) as object)
  })
}

// Ids and names of steps and providers: nothing else stands in a path.
function paramOf(input = ''): string {
  if (!/^[\w-]{1,1400}$/.test(input)) throw new VaultError('input/invalid', 'The path is not what was agreed')
  return input
}

async function bodyOf<Body>(
  request: Request,
  path: string,
  { schema, maxBytes }: { schema: NonNullable<VaultCall<Body>['body']>; maxBytes: number },
): Promise<Body> {
  // A form of another page cannot claim this type without asking first.
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? ''))
    throw new VaultError('input/invalid', 'The body is no JSON')
  const text = await readLimitedText(request, maxBytes)
  if (text === undefined) {
    if (path === '/vault/record') throw new VaultError('record/too-large', 'The record is too long')
    throw new VaultError('input/invalid', 'The body is too long')
  }
  const json = parsed(text)
  const body = read(schema, json)
  if (body === undefined) {
    if (isWrongAddress(json)) throw new VaultError('email/invalid', 'Invalid email')
    throw new VaultError('input/invalid', 'The body is not what was agreed')
  }
  return body
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonDepthError) throw new VaultError('input/invalid', error.message)
    throw new VaultError('input/invalid', 'The body is no JSON')
  }
}

function isWrongAddress(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'email' in body && typeof body.email === 'string'
}
