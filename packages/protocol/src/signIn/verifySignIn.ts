import { readMessage } from './message.ts'
import { checkNames } from './messageChecks.ts'
import type { SignInVerdict } from './signIn.ts'
import { type SignInProof, verifyProof } from './verifyProof.ts'

export type { SignInProof }

/**
 * Whether `expected.account` signed in to `expected.origin` with `expected.nonce`: the message is read, checked, then verified, on a page as
 * on a server. A family without a verifier is refused; a verifier whose node does not answer rejects. A server spends the nonce before it
 * asks.
 */
export function verifySignIn(proof: SignInProof): Promise<SignInVerdict> {
  return verifyProof(proof, { read: readMessage, made: checkNames })
}
