import { parseAccountId } from '@latchkey/protocol/caip'
import { type MessageRuleName, refusalOf } from './messageRules.ts'
import type { readMessage } from './messageText.ts'
import type { SignatureVerifiers, SignInExpected, SignInVerdict } from './signInTypes.ts'

/** The input of a sign-in verification. */
export interface SignInProof {
  /** The message, exactly as the wallet signed it. */
  readonly message: string
  /** The signature, in the usual encoding of the namespace. */
  readonly signature: string
  /** The values that the message is checked against. */
  readonly expected: SignInExpected
  /** The verifiers for the namespaces that can sign in. */
  readonly verifiers: SignatureVerifiers
}

/** Verifies a sign-in with the given parser and rules, so that tests can leave out a part and show that it is needed. */
export async function verifySignInWith(
  { message, signature, expected, verifiers }: SignInProof,
  { read, made }: { readonly read: typeof readMessage; readonly made: readonly MessageRuleName[] },
): Promise<SignInVerdict> {
  const namespace = parseAccountId(expected.account)?.namespace
  const fields = namespace && read(message, namespace)
  if (!fields) return { ok: false, reason: 'unreadable' }
  const refusal = refusalOf(fields, expected, made)
  if (refusal) return { ok: false, reason: refusal }
  // A namespace without a verifier is rejected.
  const verify = Object.hasOwn(verifiers, namespace) ? verifiers[namespace] : undefined
  // Verifies for the expected account, not for the one in the message, in case the rules do not compare them.
  const signed = typeof signature === 'string' && (await verify?.({ account: expected.account, message, signature }))
  return signed === true ? { ok: true, fields } : { ok: false, reason: 'signature' }
}
