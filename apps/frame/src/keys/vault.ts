import { equalBytes, toUtf8 } from '@latchkey/protocol/bytes'
import { eip155Address } from './accounts/eip155.ts'
import { type Root, withRoot } from './accounts/root.ts'
import { derived, seal, tagOf, unseal } from './aead.ts'
import type { Canonical } from './canonical.ts'
import { KeyError } from './errors.ts'
import type { Bytes, Machine } from './ports.ts'
import { checkRecord, recordFormat, type VaultRecord } from './record.ts'
import { wipe } from './wipe.ts'

/** A record before it has its tag. */
export type Untagged = Omit<VaultRecord, 'tag'>

/** What the sealed entropy belongs to: format, user, wallet, first address and creation time (threat "ciphertext swap"). */
type Home = Pick<VaultRecord, 'user' | 'wallet' | 'createdAt' | 'addresses'>

/** `entropy` sealed under the vault's key. */
export function sealEntropy(
  machine: Machine,
  vaultKey: Bytes,
  { entropy, home }: { entropy: Bytes; home: Home },
): Promise<VaultRecord['vault']> {
  return seal(machine, vaultKey, entropy, beside(home))
}

/**
 * Lends the root of a sealed vault to `use`, and wipes it when that is done. What comes out is believed only when it
 * gives the first address again.
 */
export async function withVault<Result>(
  machine: Machine,
  vaultKey: Bytes,
  { record, use }: { record: VaultRecord; use: (root: Root) => Result | Promise<Result> },
): Promise<Result> {
  const entropy = await unseal(machine, vaultKey, record.vault, beside(record))
  if (!entropy) throw new KeyError('vault/forged')
  try {
    return await withRoot(machine, entropy, (root) => {
      if (eip155Address(root) !== record.addresses.eip155) throw new KeyError('vault/wrong-address')
      return use(root)
    })
  } finally {
    wipe(entropy)
  }
}

/** A record with its tag: who holds the vault's key can tell that version, addresses and keys were written by one who did too. */
export async function tagged(machine: Machine, vaultKey: Bytes, record: Untagged): Promise<VaultRecord> {
  return checkRecord({ ...record, tag: await recordTag(machine, vaultKey, record) })
}

/** Throws `vault/forged` unless `record` was tagged by a holder of the vault's key. */
export async function checkTag(machine: Machine, vaultKey: Bytes, { tag, ...record }: VaultRecord): Promise<void> {
  const expected = await recordTag(machine, vaultKey, record)
  if (!equalBytes(toUtf8(tag), toUtf8(expected))) throw new KeyError('vault/forged')
}

async function recordTag(machine: Machine, vaultKey: Bytes, record: Untagged): Promise<string> {
  const key = await derived(machine, vaultKey, new Uint8Array(32), { format: recordFormat, use: 'tag' })
  try {
    return await tagOf(machine, key, record)
  } finally {
    wipe(key)
  }
}

function beside({ user, wallet, createdAt, addresses }: Home): Canonical {
  return { format: recordFormat, what: 'vault', user, wallet, createdAt, address: addresses.eip155 }
}
