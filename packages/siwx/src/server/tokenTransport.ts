import { createHash } from 'node:crypto'
import { cookieHeader, readCookie } from '@latchkey/protocol/http/cookies'
import { isLocalhost, type RelyingParty } from './requestOrigin.ts'
import type { TokenKind } from './tokens.ts'

/** How tokens are transferred: in `HttpOnly` cookies, or in headers set by the page. */
export type TokenTransportMode = 'cookie' | 'token'

/** A request with its project and origin. */
export interface AuthRequest {
  /** The request. Its body can be read only once. */
  readonly request: Request
  /** The project that the user signs in to. */
  readonly relyingParty: RelyingParty
  /** The origin of the page, or `undefined` for a same-origin request without an Origin header. */
  readonly page: string | undefined
  /** The client's IP address, if the listener provides it. */
  readonly address?: string | undefined
}

/** Transfers tokens between the server and the browser. */
export interface TokenTransport {
  /** Returns the tokens in a request, newest first. */
  read(kind: TokenKind, request: AuthRequest): readonly string[]
  /** Returns the `Set-Cookie` headers that replace the stored tokens with `tokens`, newest first. Returns none in token mode. */
  write(kind: TokenKind, tokens: readonly string[], seconds: number, request: AuthRequest): readonly string[]
}

/** The maximum size of a cookie's value. Browsers silently drop cookies larger than 4096 bytes. */
const maxCookieBytes = 3800
/** The maximum number of tabs with a pending nonce, and of accounts that are signed in at the same time. */
const maxTokens = 4

/** Creates a transport with `__Host-` cookies, out of reach of scripts, other hosts and cross-site requests (SameSite=Lax). */
export function cookieTransport(): TokenTransport {
  return {
    read: (kind, request) => {
      const value = readCookie(request.request.headers, cookieName(kind, request).name, /^[\w.~-]{1,3900}$/)
      return value === undefined ? [] : value.split('~').slice(0, maxTokens)
    },
    write: (kind, tokens, seconds, request) => {
      const fitting: string[] = []
      for (const token of tokens.slice(0, maxTokens))
        if (fitting.join('~').length + token.length < maxCookieBytes) fitting.push(token)
      const { name, secure } = cookieName(kind, request)
      return [cookieHeader({ name, value: fitting.join('~'), maxAgeSeconds: fitting.length > 0 ? seconds : 0, secure })]
    },
  }
}

/** Creates a transport in which the page stores the tokens and sends them in the `x-nonce-jwt` and `authorization` headers. */
export function headerTransport(): TokenTransport {
  const names: Readonly<Record<TokenKind, string>> = { nonce: 'x-nonce-jwt', session: 'authorization' }
  return {
    read: (kind, { request }) => {
      const [, token] = /^Bearer ([\w.-]{1,4000})$/i.exec(request.headers.get(names[kind]) ?? '') ?? []
      return token === undefined ? [] : [token]
    },
    write: () => [],
  }
}

// As with the keys origin's cookies, the port replaces the prefix over http, which is allowed only on localhost.
function cookieName(kind: TokenKind, { request, relyingParty, page }: AuthRequest): { name: string; secure: boolean } {
  const hostUrl = `http://${request.headers.get('host')}`
  const host = new URL(request.headers.has('host') && URL.canParse(hostUrl) ? hostUrl : request.url)
  const secure = page === undefined ? relyingParty.isHttps || !isLocalhost(host.hostname) : page.startsWith('https:')
  const what = `sign-in-${kind}${relyingParty.isShared ? `.${tagOf(relyingParty.projectId, page ?? '')}` : ''}`
  return { name: secure ? `__Host-latchkey.${what}` : `latchkey.${what}.${host.port || '80'}`, secure }
}

// Gives each page that shares the server its own cookies.
function tagOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}
