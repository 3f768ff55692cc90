export { readAttestation, type Verdict, type VerifyKey } from './readAttestation.ts'
export { createVerifier, type Verifier } from './verifier.ts'
