import { checkNames } from './checks.ts'
import { readMessage } from './message.ts'
import { prove, type SignInProof } from './proof.ts'
import type { SignInVerdict } from './signIn.ts'

export type { SignInProof }

/**
 * Whether `expected.account` signed in to `expected.origin` with `expected.nonce`: the message is read, checked, then verified, on a page as
 * on a server. A family without a verifier is refused; a verifier whose node does not answer rejects. A server spends the nonce before it
 * asks.
 */
export function proveSignIn(proof: SignInProof): Promise<SignInVerdict> {
  return prove(proof, { read: readMessage, made: checkNames })
}
