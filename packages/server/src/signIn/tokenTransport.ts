import { createHash } from 'node:crypto'
import { cookieHeader, readCookie } from '../vault/cookies.ts'
import { isLocalhost, type RelyingParty } from './requestOrigin.ts'
import type { TokenKind } from './tokens.ts'

/** How tokens travel: in cookies that no script can read, or in headers that the page writes. */
export type TokenTransportMode = 'cookie' | 'token'

/** A request, and from where it came. */
export interface AuthRequest {
  readonly request: Request
  readonly relyingParty: RelyingParty
  /** The origin of the page; `undefined` for one of the server's own. */
  readonly page: string | undefined
  /** The network address of the visitor, where the listener knows it. */
  readonly address?: string | undefined
}

/** Tokens on their way to the browser and back. */
export interface TokenTransport {
  /** The tokens that came with a request, the newest first. */
  read(kind: TokenKind, request: AuthRequest): readonly string[]
  /** The header that has the browser keep these, the newest first, in the place of those before; none in token mode. */
  write(kind: TokenKind, tokens: readonly string[], seconds: number, request: AuthRequest): readonly string[]
}

/** Browsers drop a cookie of more than 4096 bytes without a word. */
const maxCookieBytes = 3800
/** Tabs that ask for a nonce at a time, or accounts that are signed in beside each other. */
const maxTokens = 4

/** Tokens in `__Host-` cookies: out of reach of scripts, of other hosts, and of pages on other sites (SameSite=Lax). */
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

/** Tokens that the page keeps, and sends along in `x-nonce-jwt` and `authorization`. */
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

// As for the cookies of the keys origin: over http, which only this machine may use, they carry the port in place of the prefix.
function cookieName(kind: TokenKind, { request, relyingParty, page }: AuthRequest): { name: string; secure: boolean } {
  const hostUrl = `http://${request.headers.get('host')}`
  const host = new URL(request.headers.has('host') && URL.canParse(hostUrl) ? hostUrl : request.url)
  const secure = page === undefined ? relyingParty.isHttps || !isLocalhost(host.hostname) : page.startsWith('https:')
  const what = `sign-in-${kind}${relyingParty.isShared ? `.${tagOf(relyingParty.projectId, page ?? '')}` : ''}`
  return { name: secure ? `__Host-latchkey.${what}` : `latchkey.${what}.${host.port || '80'}`, secure }
}

// Pages that share a server have cookies of their own.
function tagOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}
