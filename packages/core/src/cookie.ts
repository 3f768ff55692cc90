import { parseChainId } from '@latchkey/protocol/caip'
import type { InitialState } from './options.ts'

/** The name of the state cookie; a second instance adds its id. */
export function cookieName(id?: string): string {
  return id ? `latchkey-state-${id}` : 'latchkey-state'
}

/** The state cookie's text for `document.cookie`; no state takes the cookie away. */
export function stateCookie(
  state: InitialState | undefined,
  params: { id?: string | undefined; secure: boolean },
): string {
  const value = state ? encodeURIComponent(`${state.chain}|${state.address}`) : ''
  const age = state ? 60 * 60 * 24 * 30 : 0
  return `${cookieName(params.id)}=${value}; Path=/; Max-Age=${age}; SameSite=Lax${params.secure ? '; Secure' : ''}`
}

/**
 * Who was connected, from a request's `Cookie` header: hand it to `createLatchkey({ initialState })` on both sides, and the
 * server-rendered page shows the account at once, marked as reconnecting. Never a proof of anything.
 */
export function initialState(cookieHeader: string | null | undefined, id?: string): InitialState | undefined {
  const name = `${cookieName(id)}=`
  const pair = cookieHeader?.split(/;\s*/).find((each) => each.startsWith(name))
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
