import { parseAccountId } from '../caip.ts'
import type { readMessage } from './message.ts'
import { type CheckName, refusalOf } from './messageChecks.ts'
import type { SignatureVerifiers, SignInExpected, SignInVerdict } from './signIn.ts'

/** What is asked of a sign-in. */
export interface SignInProof {
  readonly message: string
  /** As that family writes it. */
  readonly signature: string
  readonly expected: SignInExpected
  /** Those of the families that may sign in here. */
  readonly verifiers: SignatureVerifiers
}

/** The way to a verdict, with its parts handed in, so that the suite can do without one and see that it is missed. */
export async function verifyProof(
  { message, signature, expected, verifiers }: SignInProof,
  { read, made }: { readonly read: typeof readMessage; readonly made: readonly CheckName[] },
): Promise<SignInVerdict> {
  const namespace = parseAccountId(expected.account)?.namespace
  const fields = namespace && read(message, namespace)
  if (!fields) return { ok: false, reason: 'unreadable' }
  const refusal = refusalOf(fields, expected, made)
  if (refusal) return { ok: false, reason: refusal }
  // A family that nobody verifies here is one whose signatures nobody believes.
  const verify = Object.hasOwn(verifiers, namespace) ? verifiers[namespace] : undefined
  // By the account that is expected, not by the one that the message names: they are the same, and if not, this one counts.
  const signed = typeof signature === 'string' && (await verify?.({ account: expected.account, message, signature }))
  return signed === true ? { ok: true, fields } : { ok: false, reason: 'signature' }
}
