import { toBase64Url } from '@latchkey/protocol/bytes'
import { addressesOf } from './accounts/accounts.ts'
import { withRoot } from './accounts/root.ts'
import { commit } from './commit.ts'
import { recordFormat } from './record.ts'
import { type UnlockedVault, type Unlocking, unlockedVault } from './unlocked.ts'
import { sealEntropy, tagged } from './vault.ts'
import { wipe } from './wipe.ts'
import { type WrapperKey, wrap } from './wrappers.ts'

/** Whose vault to make, and its first key. */
export interface NewVault extends Unlocking {
  readonly user: string
  readonly key: WrapperKey
  /** What the owner calls that key. */
  readonly name: string
}

/** A new vault: 256 bits of chance, sealed under a key that is sealed under the owner's first key. Saved, and open. */
export async function createVault({ user, key, name, ...unlocking }: NewVault): Promise<UnlockedVault> {
  const { machine, store } = unlocking
  const [entropy, vaultKey] = [machine.random(32), machine.random(32)]
  try {
    const wallet = toBase64Url(machine.random(16))
    const addresses = await withRoot(machine, entropy, (root) => addressesOf(machine, root))
    const home = { user, wallet, createdAt: machine.clock.now(), addresses }
    const vault = await sealEntropy(machine, vaultKey, { entropy, home })
    const first = await wrap(machine, vaultKey, { key, name, home: { user, wallet, address: addresses.eip155 } })
    const untagged = { format: recordFormat, version: 1, ...home, vault, wrappers: [first] } as const
    const record = await tagged(machine, vaultKey, { ...untagged, wrappers: [first] })
    await commit(store, record, 0)
    return unlockedVault(record, vaultKey, unlocking)
  } catch (error) {
    wipe(vaultKey)
    throw error
  } finally {
    wipe(entropy)
  }
}
