import { messageRuleNames } from './messageRules.ts'
import { readMessage } from './messageText.ts'
import type { SignInVerdict } from './signInTypes.ts'
import { type SignInProof, verifySignInParts } from './verifySignInParts.ts'

export type { SignInProof }

/**
 * Whether `expected.account` signed in to `expected.origin` with `expected.nonce`. The message is parsed, checked and verified, in a page or on a
 * server. A family without a verifier is rejected. The promise rejects if a verifier's node does not respond. A server must spend the nonce
 * before calling it.
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
  return verifySignInParts(proof, { read: readMessage, made: messageRuleNames })
}
