import { chainErrors, getIdentity } from '@latchkey/protocol/http/chainApi'
import type { EndpointErrors } from '@latchkey/protocol/http/endpoint'
import {
  accountErrors,
  auditErrors,
  commonKeysErrors,
  deviceErrors,
  deviceTransferErrors,
  emailErrors,
  farcasterErrors,
  type KeysFailureCode,
  passkeyErrors,
  smartAccountErrors,
  socialErrors,
} from '@latchkey/protocol/http/keys'
import { shareErrors } from '@latchkey/protocol/http/keys/assistedCustody'
import { crossSiteErrors } from '@latchkey/protocol/http/keys/crossSite'
import { appKitErrors } from '@latchkey/protocol/http/projectRoutes'
import {
  type ApiErrorCode,
  apiErrors,
  commonApiErrors,
  failureAnswer,
  postEvent,
  postRpc,
} from '@latchkey/protocol/http/publicRoutes'
import { commonSignInErrors, type SignInErrorCode, signInErrors } from '@latchkey/protocol/http/signInRoutes'
import { read } from '@latchkey/protocol/parseWithSchema'
import * as v from 'valibot'
import { createServer } from '../createServer.ts'
import type { Server } from '../http/routeList.ts'
import type { Caller, ServerDependencies } from '../serverDependencies.ts'

/** The errors that an API declares. */
export interface ErrorDeclarations<Code extends string = string> {
  /** The errors that any endpoint can respond with. */
  readonly common: readonly Code[]
  readonly endpoints: EndpointErrors<Code>
  /** Returns the code of an error response, or `undefined` if the body is not an error of this API, such as a page. */
  codeOf(status: number, body: unknown): string | undefined
}

/** The errors that the API of the keys origin declares. */
export const keysDeclarations: ErrorDeclarations<KeysFailureCode> = {
  common: commonKeysErrors,
  endpoints: [
    ...accountErrors,
    ...auditErrors,
    ...crossSiteErrors,
    ...deviceErrors,
    ...deviceTransferErrors,
    ...emailErrors,
    ...farcasterErrors,
    ...passkeyErrors,
    ...shareErrors,
    ...smartAccountErrors,
    ...socialErrors,
  ],
  // Not `keysFailure`, which does not accept unknown codes.
  codeOf: (_, body) => read(v.object({ code: v.string() }), body)?.code,
}

// Routes without a declaration: the alternative paths for the RPC proxy and for analytics, `POST /rpc` of the relay, and the
// metrics.
const otherErrors: EndpointErrors<ApiErrorCode | '401 authorization' | '426 upgrade'> = [
  [{ method: 'GET', path: '/metrics' }, '401 authorization'],
  [{ method: 'GET', path: '/v1' }, '426 upgrade'],
  [{ method: 'GET', path: postRpc.path }, '426 upgrade'],
  [{ method: 'POST', path: '/batch' }, ...codesOf(apiErrors, 'POST', postEvent.path)],
  [{ method: 'POST', path: '/rpc' }, '413 body'],
  [
    { method: 'GET', path: '/v1/account/:address/identity' },
    ...codesOf(chainErrors, 'GET', getIdentity.path.replace(':address', '0')),
  ],
  [{ method: 'POST', path: '/v1' }, ...codesOf(apiErrors, 'POST', postRpc.path)],
]

const codeOfReason = (status: number, body: unknown): string | undefined => {
  const [reason] = read(failureAnswer, body)?.reasons ?? []
  return reason && `${status} ${reason.field}`.trim()
}

const apiDeclarations: ErrorDeclarations = {
  common: commonApiErrors,
  endpoints: [...apiErrors, ...chainErrors, ...appKitErrors, ...otherErrors],
  codeOf: codeOfReason,
}

/** The errors that the sign-in endpoints declare, both in this server and in an app that uses `createSignIn`. */
export const signInDeclarations: ErrorDeclarations<ApiErrorCode | SignInErrorCode> = {
  common: [...commonApiErrors, ...commonSignInErrors],
  endpoints: signInErrors,
  codeOf: codeOfReason,
}

/** Creates a server for tests. A request rejects if the response has an error that its endpoint does not declare. */
export function createTestServer(dependencies: ServerDependencies): Server {
  return withDeclaredErrors(createServer(dependencies), ({ pathname }) =>
    pathname.startsWith('/auth/') ? signInDeclarations : apiDeclarations,
  )
}

/** Wraps a server for tests. A request rejects if the response has an error that its endpoint does not declare. */
export function withDeclaredErrors<Wrapped extends (request: Request, caller?: Caller) => Promise<Response>>(
  server: Wrapped,
  declarationsFor: (url: URL) => ErrorDeclarations,
): Wrapped {
  const checked = async (request: Request, caller?: Caller): Promise<Response> => {
    const response = await server(request, caller)
    if (response.status < 400) return response
    const url = new URL(request.url)
    const { common, endpoints, codeOf } = declarationsFor(url)
    const code = codeOf(response.status, await jsonOf(response.clone()))
    if (code === undefined) return response
    const declared: readonly string[] = [...common, ...codesOf(endpoints, request.method, url.pathname)]
    // `400 *` stands for any field.
    if (!declared.includes(code) && !declared.includes(code.replace(/ .*/, ' *')))
      throw new Error(`${request.method} ${url.pathname} responded with "${code}", which its declaration does not list`)
    return response
  }
  return Object.assign(checked, server) as Wrapped
}

/**
 * Wraps a server for tests. A request rejects if a successful response does not match the declaration of its endpoint, because a
 * client cannot read such a response.
 */
export function withDeclaredAnswers<Wrapped extends (request: Request, caller?: Caller) => Promise<Response>>(
  server: Wrapped,
  { endpoints }: Pick<ErrorDeclarations, 'endpoints'>,
): Wrapped {
  const checked = async (request: Request, caller?: Caller): Promise<Response> => {
    const response = await server(request, caller)
    const { pathname } = new URL(request.url)
    const [endpoint] = declarationOf(endpoints, request.method, pathname) ?? []
    if (!response.ok || !endpoint || !('answer' in endpoint)) return response
    if (!v.is(endpoint.answer as v.GenericSchema, await jsonOf(response.clone())))
      throw new Error(`${request.method} ${pathname} responded with a body that its declaration does not allow`)
    return response
  }
  return Object.assign(checked, server) as Wrapped
}

/** Returns the errors of the endpoint that serves a request. */
function codesOf<Code extends string>(
  endpoints: EndpointErrors<Code>,
  method: string,
  pathname: string,
): readonly Code[] {
  const [, ...codes] = declarationOf(endpoints, method, pathname) ?? [undefined]
  return codes
}

/** Returns the declaration of the endpoint that serves a request. A path without parameters takes precedence. */
function declarationOf<Code extends string>(
  endpoints: EndpointErrors<Code>,
  method: string,
  pathname: string,
): EndpointErrors<Code>[number] | undefined {
  const sent = method === 'HEAD' ? 'GET' : method
  const matching = endpoints.filter(
    ([endpoint]) =>
      endpoint.method === sent && new RegExp(`^${endpoint.path.replace(/:\w+/g, '[^/]+')}$`).test(pathname),
  )
  return matching.find(([{ path }]) => !path.includes(':')) ?? matching[0]
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    return undefined
  }
}
