export { type Client, type ClientOptions, createClient } from './client.ts'
export { browserRecords } from './indexedDb.ts'
export { memoryRecords, type Records } from './records.ts'
export type { RelayState, Socket } from './relay/transport.ts'
export type { AuthPayload, Cacao, Recap } from './sign/cacao.ts'
export { messageOf, readRecap, signerOf, writeRecap } from './sign/cacao.ts'
export { type Method, type Reason, reasons } from './sign/methods.ts'
export { allows, grantedChains } from './sign/namespaces.ts'
export type { Attested } from './sign/peer.ts'
export { type Asking, type Authenticated, createProposer, type Offer, type Proposer } from './sign/proposer.ts'
export { Refusal } from './sign/refusal.ts'
export {
  createResponder,
  type ProposalAsked,
  type Responder,
  type ResponderEvents,
  type SignInAsked,
} from './sign/responder.ts'
export { type SessionEvents, type Sessions, type WalletSessions, walletSessions } from './sign/sessions.ts'
export type {
  Asked,
  Granted,
  GrantedNamespace,
  Metadata,
  Proposal,
  Proposed,
  ProposedNamespace,
  Session,
} from './sign/shapes.ts'
export { type PairingUri, readUri, writeUri } from './uri.ts'
