/**
 * The vault: key material, sealed records and signers, without access to a window. This entry can be part of the boot chunk. The heavy
 * parts (key derivation, curves, word list) are imported on demand from their own files:
 *
 * - `resumeSave(store, { user, saved })` from `saveRecord.ts`: at each boot, before the record is used.
 * - Without a record: `(await import('./keys/createVault.ts')).createVault({ user, key, name, environment, store })`.
 * - With a record: `(await import('./keys/openVault.ts')).openVault({ user, record, key, environment, store })`, where `key` is
 *   `deviceUnlockKey(…)`, `passkeyUnlockKey(…)` or `await recoveryCodeUnlockKey(…)`, and `record` is `parseRecord(text)` of the server's
 *   copy.
 * - An unlocked vault signs with `signers/eip155.ts` and `signers/solana.ts`. It locks after a period of inactivity; `lock()` locks it
 *   immediately.
 * - Passkeys: `passkey.ts` creates and requests them. Send the server the `response`, never `credential.toJSON()`, which contains the
 *   secret. `key` is `undefined` if an authenticator evaluates PRF only on request: request it again with `prfRequestOptions`.
 * - A new device: `deviceApproval.ts` (sent through the server by `../deviceTransfer.ts`) on both devices, then `openWithVaultKey` and
 *   `addWrapper(deviceUnlockKey(…))` on the new device.
 *
 * Ports: `CryptoEnvironment` (`systemEnvironment()`), `VaultStore` (the server's copy, and this device's draft and highest version), and
 * `DeviceSecret` (a non-extractable key in IndexedDB; `derive` is HMAC or HKDF with it).
 */

export {
  type Bytes,
  type Clock,
  type CryptoEnvironment,
  type DeviceSecret,
  systemEnvironment,
  type VaultStore,
} from './cryptoEnvironment.ts'
export { KeyError, type KeyErrorCode } from './errors.ts'
export { deviceUnlockKey, passkeyPrfInput, passkeyUnlockKey, type UnlockKey } from './keyWrapping.ts'
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
