import { fakeClock } from '@latchkey/core/testing'
import { expect, test } from 'vitest'
import { assistedKey, newAssistedKey } from './assisted.ts'
import { createVault } from './create.ts'
import { protection } from './index.ts'
import { openVault } from './open.ts'
import { memoryStore } from './testing/memoryStore.ts'
import { seededMachine } from './testing/seededMachine.ts'

const machine = seededMachine(17, fakeClock())

test('in assisted mode any two shares open the vault, one does not, and the record says who could sign', async () => {
  const store = memoryStore()
  const { key, shares } = await newAssistedKey(machine)
  const vault = await createVault({ user: 'user-1', key, name: 'Assisted', machine, store })
  expect(protection(vault.record).operatorCanSign).toBe(true)
  const { device, server, escrow } = shares
  const open = async (pair: Parameters<typeof assistedKey>[1]) =>
    openVault({ user: 'user-1', record: vault.record, key: await assistedKey(key.id, pair), machine, store })
  for (const pair of [[device, server] as const, [server, escrow] as const, [device, escrow] as const]) {
    expect(await (await open(pair)).words()).toEqual(await vault.words())
  }
  const alone = Uint8Array.from(server, (byte, at) => (at === server.length - 1 ? byte ^ 0x80 || 1 : byte))
  await expect(open([server, alone])).rejects.toMatchObject({ code: 'wrapper/does-not-open' })
})
