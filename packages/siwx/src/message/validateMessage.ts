import { signInSkewMs } from '@latchkey/protocol/specificationConstants'
import { momentOf } from './grammar.ts'
import { messageRuleNames, refusalOf } from './messageRules.ts'
import type { SignInExpected, SignInFields, SignInVerdict } from './signInTypes.ts'

/**
 * Checks the fields of a message. The domain, URI, version, nonce, chain, account, issue time and expiration time are required;
 * `scheme` and `notBefore` are checked if they are present. Does not verify the signature; use `verifySignIn` for that. Throws
 * `input/invalid` if `expected` is invalid.
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
 * Whether an accepted sign-in is still valid at `now`. Sign-ins that have no expiration time, or neither `notBefore` nor
 * `issuedAt`, are not valid. On a server, this check does not replace `verifySignIn`, because the nonce has already been used.
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
