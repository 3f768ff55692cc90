// The endpoints that the key frame calls on its own origin's server. All requests are same-origin and are authenticated only by
// that origin's cookies. The server refuses requests from pages on other origins. The names are Latchkey's own.

export { approvalPath, walletPath } from '../../frame/frameMethods.ts'
export * from './account.ts'
export { type KeysDevice, type KeysPasskey, type KeysUser, maxRecordBytes, type VaultRecord } from './accountSchemas.ts'
export * from './audit.ts'
export * from './browserName.ts'
export * from './config.ts'
export * from './devices.ts'
export * from './deviceTransfers.ts'
export * from './email.ts'
export * from './errors.ts'
export * from './farcaster.ts'
export { type Nothing, visitorId } from './fieldSchemas.ts'
export { navigationSourceMetric } from './navigationSource.ts'
export * from './passkeys.ts'
export * from './proxyRoutes.ts'
export * from './social.ts'
