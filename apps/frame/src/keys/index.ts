/**
 * The keys of the frame, without a window: what may be in the boot chunk. What weighs (derivation, curves, words) is
 * imported where it is needed, from its own file:
 *
 * - `resume(store, { user, saved })` from `commit.ts`, at each boot, before anything else is believed.
 * - No record yet: `(await import('./keys/create.ts')).createVault({ user, key, name, machine, store })`.
 * - A record: `(await import('./keys/open.ts')).openVault({ user, record, key, machine, store })`, where `key` is
 *   `deviceKey(…)`, `passkeyKey(…)` or `await kitKey(…)`. `record` is `parseRecord(text)` of what the server keeps.
 * - An open vault signs through `signers/eip155.ts` and `signers/solana.ts`; it locks by itself, `lock()` does it at once.
 * - Passkeys: `passkey.ts` makes and asks them. Send the server its `response`, never `credential.toJSON()`, which holds the
 *   secret. `key` is missing where a passkey computes only when asked: ask it once with `localPasskeyOptions`.
 * - A new device: `approval.ts` (over the server: `../transfer.ts`) on both sides, then `openWithVaultKey` and `addWrapper(deviceKey(…))` on the new one.
 *
 * Ports: `Machine` (`systemMachine()`), `VaultStore` (the server's copy, and this device's draft and highest version), and
 * `DeviceSecret` (a key in IndexedDB that cannot be taken out; `derive` is HMAC or HKDF with it).
 */
export { commit, resume } from './commit.ts'
export { KeyError, type KeyErrorCode } from './errors.ts'
export { type Bytes, type Clock, type DeviceSecret, type Machine, systemMachine, type VaultStore } from './ports.ts'
export {
  type Addresses,
  type Protection,
  parseRecord,
  protection,
  recordText,
  type VaultRecord,
  type Wrapper,
  type WrapperKind,
} from './record.ts'
export type { UnlockedVault } from './unlocked.ts'
export { deviceKey, passkeyInput, passkeyKey, type WrapperKey } from './wrappers.ts'
