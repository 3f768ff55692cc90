// The endpoints used by the key frame on the server of its own origin. All requests are same-origin and authenticated by that origin's
// cookies only. The server refuses requests from pages of other origins. The names are Latchkey's own.

export { approvalPath, walletPath } from '../../frame/frameMethods.ts'
export {
  type AuditEntry,
  type AuditEvent,
  auditEvents,
  getAudit,
  getMe,
  postSignOut,
  postSignOutEverywhere,
  putRecord,
  type VaultMe,
} from './account.ts'
export { browserName } from './browserName.ts'
export { getVaultConfig, type VaultConfig } from './config.ts'
export { deleteDevice, getDevices, postDevice, postDeviceHalf } from './devices.ts'
export {
  deleteTransfer,
  getTransfer,
  getTransfers,
  postTransfer,
  postTransferStep,
  type TransferStep,
  transferSteps,
  type VaultTransfer,
} from './deviceTransfers.ts'
export {
  codeLifeMs,
  codeTries,
  postEmail,
  postEmailChange,
  postEmailChangePrimary,
  postEmailChangeSecondary,
  postEmailCode,
  postEmailDevice,
  resendAfterMs,
} from './email.ts'
export { type VaultFailure, type VaultFailureCode, vaultFailure, vaultFailures } from './failures.ts'
export { postFarcaster, postFarcasterFinish } from './farcaster.ts'
export { type Nothing, visitorId } from './fields.ts'
export { arrivalTiming } from './pages.ts'
export {
  deletePasskey,
  postPasskey,
  postPasskeyAccount,
  postPasskeyAccountOptions,
  postPasskeyOptions,
  postPasskeySignIn,
  postPasskeySignInOptions,
  type WebAuthnJson,
} from './passkeys.ts'
export { maxRecordBytes, type VaultDevice, type VaultPasskey, type VaultRecord, type VaultUser } from './records.ts'
export { bundlerMethods, paymasterMethods, vaultBundlerPath, vaultPaymasterPath, vaultRpcPath } from './rpc.ts'
export {
  type PopupMessage,
  popupChannel,
  popupMessage,
  popupPath,
  postSocial,
  postSocialFinish,
  type SocialProvider,
  socialCallbackPath,
  socialDonePath,
  socialProviders,
} from './social.ts'
