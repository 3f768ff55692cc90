/**
 * The vault of an embedded wallet: encrypted records and the keys that open them. It has no access to a page or network: randomness, clock
 * and WebCrypto (`CryptoEnvironment`), the storage of records (`VaultStore`) and the device's own secret (`DeviceSecret`) are passed in.
 *
 * This entry is small. Key derivation, the curves and the word list are in separate entries, to be loaded on demand: `createVault`,
 * `openVault`, `recoveryKit`, `webAuthn`, `deviceApproval` and `signers/…`. At each start, call `resumeSave` before you use a record.
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
