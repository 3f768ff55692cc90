import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import { assistedUnlockKey, createAssistedUnlockKey } from './assistedCustody.ts'
import { createVault } from './createVault.ts'
import { getProtection } from './index.ts'
import { openVault } from './openVault.ts'
import { memoryVaultStore } from './testing/memoryVaultStore.ts'
import { seededEnvironment } from './testing/seededEnvironment.ts'

const environment = seededEnvironment(17, fakeClock())

test('any two shares of an assisted key open the vault, one share does not, and the record shows that the operator can sign', async () => {
  const store = memoryVaultStore()
  const { key, shares } = await createAssistedUnlockKey(environment)
  const vault = await createVault({ user: 'user-1', key, name: 'Assisted', environment, store })
  expect(getProtection(vault.record).operatorCanSign).toBe(true)
  const { device, server, escrow } = shares
  const open = async (pair: Parameters<typeof assistedUnlockKey>[1]) =>
    openVault({ user: 'user-1', record: vault.record, key: await assistedUnlockKey(key.id, pair), environment, store })
  for (const pair of [[device, server] as const, [server, escrow] as const, [device, escrow] as const]) {
    expect(await (await open(pair)).mnemonic()).toEqual(await vault.mnemonic())
  }
  const alone = Uint8Array.from(server, (byte, at) => (at === server.length - 1 ? byte ^ 0x80 || 1 : byte))
  await expect(open([server, alone])).rejects.toMatchObject({ code: 'wrapper/does-not-open' })
})
