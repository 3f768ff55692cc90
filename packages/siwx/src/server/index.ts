/** The parts of `createSignIn`, for a server that stores its projects and keys itself. */
export type { SignedMessage } from '@latchkey/protocol/http/signInRoutes'
export { AuthError, type AuthErrorStatus } from './authError.ts'
export { readBody } from './readBody.ts'
export type { ReplayStore } from './replayStore.ts'
export { isSafeOrigin, type RelyingParty } from './requestOrigin.ts'
export {
  accountParamOf,
  corsHeaders,
  type Handler,
  jsonResponse,
  type SignInRoute,
  serveSignIn,
} from './serveSignIn.ts'
export { canonicalAccount, type SessionAccount, uuidOf } from './sessionClaims.ts'
export { createSignInHandlers, type SignInHandlerOptions, type SignInHandlers } from './signInHandlers.ts'
export { createTokens, type TokenKey, type TokenKeys, type Tokens } from './tokens.ts'
export type { AuthRequest, TokenTransportMode } from './tokenTransport.ts'
