import { signInSkewMs } from '../constants.ts'
import { momentOf } from './grammar.ts'
import { checkNames, refusalOf } from './messageChecks.ts'
import type { SignInExpected, SignInFields, SignInVerdict } from './signIn.ts'

/**
 * Whether a message says what it has to say: domain, URI, version, nonce, chain, account, when it was written and until when it holds; none
 * of it may be missing. Who signed it is not looked at: that is `proveSignIn`. Throws `input/invalid` when `expected` is none.
 */
export function checkMessage(fields: SignInFields, expected: SignInExpected): SignInVerdict {
  const refusal = refusalOf(fields, expected, checkNames)
  return refusal ? { ok: false, reason: refusal } : { ok: true, fields }
}

/**
 * Whether a sign-in that was believed once still counts at `now`: begun, and not over. Without a beginning or an end it does not. Its
 * nonce was spent long ago, so it proves nothing to a server.
 */
export function isCurrent(fields: SignInFields, now: number): boolean {
  const { notBefore, issuedAt, expirationTime } = fields
  const begins = notBefore === undefined ? momentOf(issuedAt ?? '') : momentOf(notBefore)
  const ends = momentOf(expirationTime ?? '')
  // Written by a clock that may be ahead, as when it was checked.
  const ahead = notBefore === undefined ? signInSkewMs : 0
  return begins !== undefined && ends !== undefined && begins <= now + ahead && now < ends
}
