import { signInSkewMs } from '@latchkey/protocol/specificationConstants'
import { momentOf } from './grammar.ts'
import { messageRuleNames, refusalOf } from './messageRules.ts'
import type { SignInExpected, SignInFields, SignInVerdict } from './signInTypes.ts'

/**
 * Checks the fields of a message: domain, URI, version, nonce, chain, account, issue time and expiration time. All of them are
 * required. Does not verify the signature; use `verifySignIn` for that. Throws `input/invalid` if `expected` is invalid.
 *
 * @example
 * const fields = readMessage(message, 'eip155')
 * const verdict = fields && validateMessage(fields, { origin: 'https://shop.example', nonce, account, now: Date.now() })
 */
export function validateMessage(fields: SignInFields, expected: SignInExpected): SignInVerdict {
  const refusal = refusalOf(fields, expected, messageRuleNames)
  return refusal ? { ok: false, reason: refusal } : { ok: true, fields }
}

/**
 * Whether an accepted sign-in is still valid at `now`. The sign-in must have a start and an expiration time. It proves nothing to
 * a server, because its nonce has already been used.
 *
 * @example
 * if (verdict.ok) isCurrent(verdict.fields, Date.now()) // true until the message expires
 */
export function isCurrent(fields: SignInFields, now: number): boolean {
  const { notBefore, issuedAt, expirationTime } = fields
  const begins = notBefore === undefined ? momentOf(issuedAt ?? '') : momentOf(notBefore)
  const ends = momentOf(expirationTime ?? '')
  // Allows the same clock skew as the original check.
  const ahead = notBefore === undefined ? signInSkewMs : 0
  return begins !== undefined && ends !== undefined && begins <= now + ahead && now < ends
}
