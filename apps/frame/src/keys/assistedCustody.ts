import { toBase64Url } from '@latchkey/protocol/bytes'
import { combine, split } from 'shamir-secret-sharing'
import type { CanonicalValue } from './canonicalJson.ts'
import type { Bytes, CryptoEnvironment } from './cryptoEnvironment.ts'
import type { UnlockKey } from './keyWrapping.ts'
import type { VaultRecord } from './vaultRecord.ts'

// The opt-in mode where the operator could sign (`custody: 'assisted'`). Nothing else in this folder imports this file, and
// it is in no chunk of a frame that serves `custody: 'self'`.

/** The three shares of an assisted key; any two open the vault. */
export interface AssistedShares {
  /** Stays on this device. */
  readonly device: Bytes
  /** Kept by the server, released to a fresh session. */
  readonly server: Bytes
  /** Kept by the operator's key service, sealed. Server and escrow together are the operator: it could sign. */
  readonly escrow: Bytes
}

/** A fresh assisted key, and its three shares to be handed out. */
export async function createAssistedUnlockKey(
  environment: CryptoEnvironment,
): Promise<{ key: UnlockKey; shares: AssistedShares }> {
  const secret = environment.random(32)
  const id = toBase64Url(environment.random(16))
  const [device, server, escrow] = (await split(secret, 3, 2)) as [Bytes, Bytes, Bytes]
  return { key: unlockKeyFrom(id, secret), shares: { device, server, escrow } }
}

/** An assisted key in hand, from two of its shares. */
export async function assistedUnlockKey(id: string, shares: readonly [Bytes, Bytes]): Promise<UnlockKey> {
  return unlockKeyFrom(id, new Uint8Array(await combine([...shares])))
}

/** What the operator's key service authenticates beside a share that it seals (AES-256-GCM, `{nonce, sealed}` in base64url). */
export function escrowAdditionalData({ user, wallet }: Pick<VaultRecord, 'user' | 'wallet'>): CanonicalValue {
  return { what: 'escrow', user, wallet }
}

function unlockKeyFrom(id: string, secret: Bytes): UnlockKey {
  return { kind: 'assisted', id, secret: async () => secret.slice() }
}
