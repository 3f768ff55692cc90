import { parseChainId } from '@latchkey/protocol/caip'
import type { InitialState } from './options.ts'

/**
 * Returns the name of the state cookie, which includes the instance ID if there is one.
 *
 * @example
 * const hasState = document.cookie.includes(`${cookieName()}=`)
 */
export function cookieName(id?: string): string {
  return id ? `latchkey-state-${id}` : 'latchkey-state'
}

/** Returns the value to assign to `document.cookie`. If `state` is `undefined`, the value removes the cookie. */
export function stateCookie(
  state: InitialState | undefined,
  params: { id?: string | undefined; secure: boolean },
): string {
  const value = state ? encodeURIComponent(`${state.chain}|${state.address}`) : ''
  const age = state ? 60 * 60 * 24 * 30 : 0
  return `${cookieName(params.id)}=${value}; Path=/; Max-Age=${age}; SameSite=Lax${params.secure ? '; Secure' : ''}`
}

/**
 * Reads the connected account from a request's `Cookie` header. Pass the result to `createLatchkey({ initialState })` on both
 * the server and the client, so that the server-rendered page shows the account immediately, marked as reconnecting. Never use
 * the result as proof of identity. Returns `undefined` if the cookie is missing or invalid.
 *
 * @example
 * createLatchkey({ cookie: true, initialState: initialState(request.headers.get('cookie')) })
 */
export function initialState(cookieHeader: string | null | undefined, id?: string): InitialState | undefined {
  const name = `${cookieName(id)}=`
  const pair = cookieHeader?.split(/;\s*/).find((cookie) => cookie.startsWith(name))
  if (!pair) return undefined
  let value: string
  try {
    value = decodeURIComponent(pair.slice(name.length))
  } catch {
    return undefined
  }
  const [chain = '', address = '', ...rest] = value.split('|')
  if (rest.length > 0 || !/^[\w.:-]{1,128}$/.test(address)) return undefined
  const parsed = parseChainId(chain)
  if (!parsed || !/^[\w-]{1,64}$/.test(parsed.reference)) return undefined

  return { namespace: parsed.namespace, address, chain: `${parsed.namespace}:${parsed.reference}` }
}
