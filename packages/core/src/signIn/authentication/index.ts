export type { SignInFields } from '@latchkey/siwx/signIn'
export type { AuthenticationAdapter, MessageParams, SignInSession } from '../signInTypes.ts'
export { type LocalSignInOptions, localSignIn } from './localSignIn.ts'
export { type ServerSignIn, type ServerSignInOptions, type SignInAccount, serverSignIn } from './serverSignIn.ts'
export {
  type SiweMessageArgs,
  type SiweMessageParams,
  type SiweOptions,
  type SiweSession,
  siwe,
} from './siwe.ts'
