import { createHmac } from 'node:crypto'
import { readCookie } from '@latchkey/protocol/http/cookies'
import { sameText } from '../vault/secretDigests.ts'

/**
 * Signs the session cookie again if an older secret signed it, as better-auth only knows the newest secret. Returns the headers
 * unchanged otherwise. `secrets` are newest first.
 */
export function resignSessionCookie(
  headers: Headers,
  { cookieName, secrets: [secret = '', ...olderSecrets] }: { cookieName: string; secrets: readonly string[] },
): Headers {
  const value = readCookie(headers, cookieName, /^[\w.%~*!'()-]{1,1000}$/)
  const [, token = '', signature = ''] = /^([\w-]+)\.(.+)$/.exec(decoded(value ?? '')) ?? []
  const isOlder = olderSecrets.some((older) => sameText(signatureOf(token, older), signature))
  if (token === '' || !isOlder) return headers
  const changed = new Headers(headers)
  const cookie = encodeURIComponent(`${token}.${signatureOf(token, secret)}`)
  changed.set('cookie', `${cookieName}=${cookie}`)
  return changed
}

// Signs cookies the way better-auth does.
function signatureOf(token: string, secret: string): string {
  return createHmac('sha256', secret).update(token).digest('base64')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
