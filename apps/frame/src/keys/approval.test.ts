import { fakeClock } from '@latchkey/core/testing'
import { fromBase64Url, toBase64Url } from '@latchkey/protocol/bytes'
import { expect, test } from 'vitest'
import { answerApproval, askApproval, wordSets } from './approval.ts'
import { deviceKey, parseRecord } from './index.ts'
import { openVault, openWithVaultKey } from './open.ts'
import { memoryDevice } from './testing/memoryDevice.ts'
import { ownedVault } from './testing/ownedVault.ts'
import { seededMachine } from './testing/seededMachine.ts'

const machine = seededMachine(13, fakeClock())

test('an old device hands the key to a new one, which makes a key of its own from it', async () => {
  const { user, vault, store } = await ownedVault(machine)
  const fresh = await askApproval(machine, vault.record)
  const old = await answerApproval(machine, vault.record, fresh.commitment)
  const asked = await fresh.reveal(old.offer)
  const heard = await old.hear(asked.reveal)
  expect(asked.words).toHaveLength(4)
  expect(heard.words).toEqual(asked.words)
  const vaultKey = await asked.accept(await heard.give(vault))
  const opened = await openWithVaultKey({ user, record: parseRecord(store.saved!), vaultKey, machine, store })
  const key = deviceKey('device-2', await memoryDevice(), machine.random(32))
  await opened.addWrapper(key, 'Second laptop')
  const again = await openVault({ user, record: parseRecord(store.saved!), key, machine, store })
  expect(await again.words()).toEqual(await vault.words())
})

test('a key that is added meanwhile on the old device changes neither the words nor what they open', async () => {
  const { user, vault, store } = await ownedVault(machine)
  const fresh = await askApproval(machine, vault.record)
  await vault.addWrapper(deviceKey('device-3', await memoryDevice(), machine.random(32)), 'Tablet')
  const old = await answerApproval(machine, vault.record, fresh.commitment)
  const asked = await fresh.reveal(old.offer)
  const heard = await old.hear(asked.reveal)
  expect(heard.words).toEqual(asked.words)
  const vaultKey = await asked.accept(await heard.give(vault))
  const opened = await openWithVaultKey({ user, record: parseRecord(store.saved!), vaultKey, machine, store })
  expect(opened.record.addresses).toEqual(vault.record.addresses)
})

test('somebody in the middle who swaps both keys shows two different sets of words', async () => {
  const { vault } = await ownedVault(machine)
  const fresh = await askApproval(machine, vault.record)
  const middleAsNew = await askApproval(machine, vault.record)
  const old = await answerApproval(machine, vault.record, middleAsNew.commitment)
  const middleAsOld = await answerApproval(machine, vault.record, fresh.commitment)
  const onNew = await fresh.reveal(middleAsOld.offer)
  const onOld = await old.hear((await middleAsNew.reveal(old.offer)).reveal)
  expect(onNew.words).not.toEqual(onOld.words)
})

test('a key that was not committed to is refused', async () => {
  const { vault } = await ownedVault(machine)
  const fresh = await askApproval(machine, vault.record)
  const other = await askApproval(machine, vault.record)
  const old = await answerApproval(machine, vault.record, fresh.commitment)
  const { reveal } = await other.reveal(old.offer)
  await expect(old.hear(reveal)).rejects.toMatchObject({ code: 'approval/mismatch' })
})

test('a sealed key that was changed on its way is refused, and nothing is sealed twice', async () => {
  const { vault } = await ownedVault(machine)
  const fresh = await askApproval(machine, vault.record)
  const old = await answerApproval(machine, vault.record, fresh.commitment)
  const asked = await fresh.reveal(old.offer)
  const heard = await old.hear(asked.reveal)
  const sealed = fromBase64Url(await heard.give(vault))!
  for (let at = 0; at < sealed.length; at++) {
    const changed = sealed.map((byte, place) => (place === at ? byte ^ 0x40 : byte))
    await expect(asked.accept(toBase64Url(changed))).rejects.toMatchObject({ code: 'approval/mismatch' })
  }
  await expect(heard.give(vault)).rejects.toMatchObject({ code: 'approval/malformed' })
}, 60_000)

test('the words are of this wallet and user only', async () => {
  const { vault } = await ownedVault(machine)
  const fresh = await askApproval(machine, vault.record)
  const old = await answerApproval(machine, { ...vault.record, user: 'somebody' }, fresh.commitment)
  const asked = await fresh.reveal(old.offer)
  const heard = await old.hear(asked.reveal)
  expect(heard.words).not.toEqual(asked.words)
  await expect(heard.give(vault)).rejects.toMatchObject({ code: 'vault/other-user' })
})

test.each(['', 'x', 'AAAA', 'A'.repeat(87), 'A'.repeat(100_000)])('an offer of %.9s… is refused', async (offer) => {
  const fresh = await askApproval(machine, { user: 'user-1', wallet: 'w' })
  await expect(fresh.reveal(offer)).rejects.toMatchObject({ code: 'approval/malformed' })
})

test('four words stand among others of their kind, at a place that chance decides, and share no word with them', () => {
  const words = ['tulip', 'anchor', 'bread', 'orbit']
  const places = new Map<number, number>()
  for (let round = 0; round < 600; round += 1) {
    const { sets, right } = wordSets(machine, words)
    expect(sets).toHaveLength(6)
    expect(sets[right]).toEqual(words)
    expect(new Set(sets.flat()).size).toBe(24)
    places.set(right, (places.get(right) ?? 0) + 1)
  }
  expect([...places.keys()].sort()).toEqual([0, 1, 2, 3, 4, 5])
  // Each place has 100 of 600 on the average.
  expect(Math.min(...places.values())).toBeGreaterThan(60)
})
