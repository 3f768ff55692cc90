export { createVerifier, type Verifier } from './createVerifier.ts'
export { type Verdict, type VerifyKey, verifyAttestation } from './verifyAttestation.ts'
