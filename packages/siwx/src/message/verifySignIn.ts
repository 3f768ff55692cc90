import { messageRuleNames } from './messageRules.ts'
import { readMessage } from './messageText.ts'
import type { SignInVerdict } from './signInTypes.ts'
import { type SignInProof, verifySignInWith } from './verifySignInWith.ts'

export type { SignInProof }

/**
 * Verifies that `expected.account` signed in to `expected.origin` with `expected.nonce`. Parses the message, checks its fields
 * and verifies its signature, in a page or on a server. A namespace without a verifier is rejected. The promise rejects if a
 * verifier's node does not respond. On a server, use up the nonce before you call this function.
 *
 * @example
 * const verdict = await verifySignIn({
 *   message,
 *   signature,
 *   expected: { origin: 'https://shop.example', nonce, account: 'eip155:1:0x…', now: Date.now() },
 *   verifiers: { eip155: eip155Verifier({ call }) },
 * })
 * if (!verdict.ok) throw new Error(verdict.reason)
 */
export function verifySignIn(proof: SignInProof): Promise<SignInVerdict> {
  return verifySignInWith(proof, { read: readMessage, made: messageRuleNames })
}
