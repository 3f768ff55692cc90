import { toBase64Url } from '@latchkey/protocol/bytes'
import { combine, split } from 'shamir-secret-sharing'
import type { CanonicalValue } from './canonicalJson.ts'
import type { Bytes, CryptoEnvironment } from './cryptoEnvironment.ts'
import type { UnlockKey } from './keyWrapping.ts'
import type { VaultRecord } from './vaultRecord.ts'

// Assisted custody (`custody: 'assisted'`) is an opt-in mode in which the operator could sign for the user. No other file in this
// folder imports this file, and no chunk of a frame with `custody: 'self'` includes it.

/** The three shares of an assisted key. Any two of them open the vault. */
export interface AssistedShares {
  /** Stored on this device. */
  readonly device: Bytes
  /** Stored by the server, which releases it to a fresh session. */
  readonly server: Bytes
  /**
   * Stored by the operator, encrypted by its key service. The operator has both the server share and this share, so it could
   * sign.
   */
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

/**
 * Returns the additional data that the operator's key service authenticates when it encrypts the escrow share. The share is
 * encrypted with AES-256-GCM and stored as `{nonce, sealed}` in base64url.
 */
export function escrowAdditionalData({ user, wallet }: Pick<VaultRecord, 'user' | 'wallet'>): CanonicalValue {
  return { what: 'escrow', user, wallet }
}

function unlockKeyFrom(id: string, secret: Bytes): UnlockKey {
  return { kind: 'assisted', id, secret: async () => secret.slice() }
}
