export { type Client, type ClientOptions, createClient } from './client.ts'
export { browserStorage } from './indexedDbStorage.ts'
export { formatPairingUri, type PairingUri, parsePairingUri } from './pairingUri.ts'
export type { RelayState, Socket } from './relay/relayTransport.ts'
export type { AuthPayload, Cacao, Recap } from './sign/cacao.ts'
export { messageOf, readRecap, signerOf, writeRecap } from './sign/cacao.ts'
export {
  type AuthenticateResult,
  createProposer,
  type PendingPairing,
  type ProposeParameters,
  type Proposer,
} from './sign/proposer.ts'
export { type Method, type Reason, reasons } from './sign/protocolMethods.ts'
export {
  type AuthenticateEvent,
  createResponder,
  type ProposalEvent,
  type Responder,
  type ResponderEvents,
} from './sign/responder.ts'
export type { MessageAttestation } from './sign/rpcEngine.ts'
export { RpcError } from './sign/rpcError.ts'
export type {
  GrantedNamespace,
  GrantedNamespaces,
  Metadata,
  Proposal,
  ProposedNamespace,
  ProposedNamespaces,
  Session,
  SessionRequest,
} from './sign/schemas.ts'
export type { SessionEvents } from './sign/sessionHandlers.ts'
export type { Sessions } from './sign/sessions.ts'
export { allows, grantedChains } from './sign/validateNamespaces.ts'
export { type WalletSessions, walletSessions } from './sign/walletSessionMethods.ts'
export { type KeyValueStorage, memoryStorage } from './storage.ts'
