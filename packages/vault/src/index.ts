/**
 * The vault of an embedded wallet: encrypted records and the keys that open them. The vault accesses neither the page nor the
 * network. Instead, the caller passes in the clock, random numbers and WebCrypto (`CryptoEnvironment`), the storage for records
 * (`VaultStore`) and the device's own secret (`DeviceSecret`).
 *
 * This entry point is small. Key derivation, the curves and the word list are in separate entry points, which can be loaded on
 * demand: `createVault`, `openVault`, `recoveryKit`, `webAuthn`, `deviceTransfer` and `signers/…`. On every start, call
 * `resumeSave` before you use a record.
 */

export {
  type Bytes,
  type Clock,
  type CryptoEnvironment,
  type DeviceSecret,
  systemEnvironment,
  type VaultStore,
} from './cryptoEnvironment.ts'
export { deviceUnlockKey } from './deviceUnlockKey.ts'
export { KeyError, type KeyErrorCode } from './errors.ts'
export type { UnlockKey } from './keyWrapping.ts'
export { passkeyPrfInput, passkeyUnlockKey } from './passkeyUnlockKey.ts'
export { resumeSave, saveRecord } from './saveRecord.ts'
export type { UnlockedVault } from './unlockedVault.ts'
export {
  type Addresses,
  getProtection,
  type Protection,
  parseRecord,
  serializeRecord,
  type VaultRecord,
  type Wrapper,
  type WrapperKind,
} from './vaultRecord.ts'
