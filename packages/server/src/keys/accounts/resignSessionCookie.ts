import { createHmac } from 'node:crypto'
import { readCookie } from '@latchkey/protocol/http/cookies'
import { sameText } from '../../storage/secretDigests.ts'

/**
 * Signs the session cookie again if it was signed with an older secret, because better-auth accepts only the newest secret.
 * Otherwise, returns the headers unchanged. `secrets` lists the newest secret first.
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

// Signs cookies in the same way as better-auth.
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
