import { toBase64Url } from '@latchkey/protocol/bytes'
import { combine, split } from 'shamir-secret-sharing'
import type { CanonicalValue } from './canonicalJson.ts'
import type { Bytes, CryptoEnvironment } from './cryptoEnvironment.ts'
import type { UnlockKey } from './keyWrapping.ts'
import type { VaultRecord } from './vaultRecord.ts'

// The opt-in mode in which the operator could sign (`custody: 'assisted'`). No other file in this folder imports this file, and no chunk of
// a frame with `custody: 'self'` contains it.

/** The three shares of an assisted key. Any two of them open the vault. */
export interface AssistedShares {
  /** Stored on this device. */
  readonly device: Bytes
  /** Stored by the server and released to a fresh session. */
  readonly server: Bytes
  /** Stored encrypted by the operator's key service. The operator has both server and escrow shares, so it could sign. */
  readonly escrow: Bytes
}

/**
 * Creates an assisted key and its three shares.
 *
 * @example
 * const { key, shares } = await createAssistedUnlockKey(environment)
 * await vault.addWrapper(key, 'Assisted')
 */
export async function createAssistedUnlockKey(
  environment: CryptoEnvironment,
): Promise<{ key: UnlockKey; shares: AssistedShares }> {
  const secret = environment.random(32)
  const id = toBase64Url(environment.random(16))
  const [device, server, escrow] = (await split(secret, 3, 2)) as [Bytes, Bytes, Bytes]
  return { key: unlockKeyFrom(id, secret), shares: { device, server, escrow } }
}

/**
 * Restores an assisted key from two of its shares.
 *
 * @example
 * const key = await assistedUnlockKey(id, [shares.device, shares.server])
 */
export async function assistedUnlockKey(id: string, shares: readonly [Bytes, Bytes]): Promise<UnlockKey> {
  return unlockKeyFrom(id, new Uint8Array(await combine([...shares])))
}

/** Additional data that the operator's key service authenticates when it encrypts a share (AES-256-GCM, `{nonce, sealed}` in base64url). */
export function escrowAdditionalData({ user, wallet }: Pick<VaultRecord, 'user' | 'wallet'>): CanonicalValue {
  return { what: 'escrow', user, wallet }
}

function unlockKeyFrom(id: string, secret: Bytes): UnlockKey {
  return { kind: 'assisted', id, secret: async () => secret.slice() }
}
