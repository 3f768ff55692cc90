// The endpoints that the key frame calls on its own origin's server. All requests are same-origin and are authenticated only by
// that origin's cookies. The server refuses requests from pages on other origins. The names are Latchkey's own.

export { approvalPath, walletPath } from '../../frame/frameMethods.ts'
export * from './account.ts'
export * from './audit.ts'
export * from './browserName.ts'
export * from './config.ts'
export * from './devices.ts'
export * from './deviceTransfers.ts'
export * from './email.ts'
export * from './failures.ts'
export * from './farcaster.ts'
export { type Nothing, visitorId } from './fields.ts'
export { arrivalTiming } from './pages.ts'
export * from './passkeys.ts'
export { maxRecordBytes, type VaultDevice, type VaultPasskey, type VaultRecord, type VaultUser } from './records.ts'
export * from './rpc.ts'
export * from './social.ts'
