import { fromBase64Url, toBase64Url } from '@latchkey/protocol/bytes'
import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import { requestDeviceTransfer, respondToDeviceTransfer, shuffleWordChoices } from './deviceTransfer.ts'
import { deviceUnlockKey, parseRecord } from './index.ts'
import { openVault, openWithVaultKey } from './openVault.ts'
import { memoryDeviceSecret } from './testing/memoryDeviceSecret.ts'
import { seededEnvironment } from './testing/seededEnvironment.ts'
import { createVaultFixture } from './testing/vaultFixture.ts'

const environment = seededEnvironment(13, fakeClock())

test('an existing device sends the vault key to a new device, which adds its own key', async () => {
  const { user, vault, store } = await createVaultFixture(environment)
  const newDevice = await requestDeviceTransfer(environment, vault.record)
  const existingDevice = await respondToDeviceTransfer(environment, vault.record, newDevice.commitment)
  const revealed = await newDevice.reveal(existingDevice.offer)
  const verified = await existingDevice.verifyReveal(revealed.reveal)
  expect(revealed.words).toHaveLength(4)
  expect(verified.words).toEqual(revealed.words)
  const vaultKey = await revealed.accept(await verified.sealVaultKey(vault))
  const opened = await openWithVaultKey({ user, record: parseRecord(store.savedText!), vaultKey, environment, store })
  const key = deviceUnlockKey('device-2', await memoryDeviceSecret(), environment.random(32))
  await opened.addWrapper(key, 'Second laptop')
  const reopened = await openVault({ user, record: parseRecord(store.savedText!), key, environment, store })
  expect(await reopened.mnemonic()).toEqual(await vault.mnemonic())
})

test('adding a key on the old device during the exchange changes neither the words nor the result', async () => {
  const { user, vault, store } = await createVaultFixture(environment)
  const newDevice = await requestDeviceTransfer(environment, vault.record)
  await vault.addWrapper(deviceUnlockKey('device-3', await memoryDeviceSecret(), environment.random(32)), 'Tablet')
  const existingDevice = await respondToDeviceTransfer(environment, vault.record, newDevice.commitment)
  const revealed = await newDevice.reveal(existingDevice.offer)
  const verified = await existingDevice.verifyReveal(revealed.reveal)
  expect(verified.words).toEqual(revealed.words)
  const vaultKey = await revealed.accept(await verified.sealVaultKey(vault))
  const opened = await openWithVaultKey({ user, record: parseRecord(store.savedText!), vaultKey, environment, store })
  expect(opened.record.addresses).toEqual(vault.record.addresses)
})

test('if an attacker in the middle replaces both public keys, the two devices show different words', async () => {
  const { vault } = await createVaultFixture(environment)
  const newDevice = await requestDeviceTransfer(environment, vault.record)
  const middleAsNew = await requestDeviceTransfer(environment, vault.record)
  const existingDevice = await respondToDeviceTransfer(environment, vault.record, middleAsNew.commitment)
  const middleAsOld = await respondToDeviceTransfer(environment, vault.record, newDevice.commitment)
  const onNew = await newDevice.reveal(middleAsOld.offer)
  const onOld = await existingDevice.verifyReveal((await middleAsNew.reveal(existingDevice.offer)).reveal)
  expect(onNew.words).not.toEqual(onOld.words)
})

test('a public key that does not match the commitment is rejected', async () => {
  const { vault } = await createVaultFixture(environment)
  const newDevice = await requestDeviceTransfer(environment, vault.record)
  const other = await requestDeviceTransfer(environment, vault.record)
  const existingDevice = await respondToDeviceTransfer(environment, vault.record, newDevice.commitment)
  const { reveal } = await other.reveal(existingDevice.offer)
  await expect(existingDevice.verifyReveal(reveal)).rejects.toMatchObject({ code: 'approval/mismatch' })
})

test('a modified ciphertext is rejected, and the vault key can be encrypted only once', async () => {
  const { vault } = await createVaultFixture(environment)
  const newDevice = await requestDeviceTransfer(environment, vault.record)
  const existingDevice = await respondToDeviceTransfer(environment, vault.record, newDevice.commitment)
  const revealed = await newDevice.reveal(existingDevice.offer)
  const verified = await existingDevice.verifyReveal(revealed.reveal)
  const sealed = fromBase64Url(await verified.sealVaultKey(vault))!
  for (let at = 0; at < sealed.length; at++) {
    const changed = sealed.map((byte, place) => (place === at ? byte ^ 0x40 : byte))
    await expect(revealed.accept(toBase64Url(changed))).rejects.toMatchObject({ code: 'approval/mismatch' })
  }
  await expect(verified.sealVaultKey(vault)).rejects.toMatchObject({ code: 'approval/malformed' })
}, 60_000)

test('the words depend on the wallet and the user', async () => {
  const { vault } = await createVaultFixture(environment)
  const newDevice = await requestDeviceTransfer(environment, vault.record)
  const existingDevice = await respondToDeviceTransfer(
    environment,
    { ...vault.record, user: 'somebody' },
    newDevice.commitment,
  )
  const revealed = await newDevice.reveal(existingDevice.offer)
  const verified = await existingDevice.verifyReveal(revealed.reveal)
  expect(verified.words).not.toEqual(revealed.words)
  await expect(verified.sealVaultKey(vault)).rejects.toMatchObject({ code: 'vault/other-user' })
})

test.each(['', 'x', 'AAAA', 'A'.repeat(87), 'A'.repeat(100_000)])(
  'the malformed offer %.9s… is rejected',
  async (offer) => {
    const newDevice = await requestDeviceTransfer(environment, { user: 'user-1', wallet: 'w' })
    await expect(newDevice.reveal(offer)).rejects.toMatchObject({ code: 'approval/malformed' })
  },
)

test('the four words are placed at a random position among other sets of four words, and no word appears in two sets', () => {
  const words = ['tulip', 'anchor', 'bread', 'orbit']
  const places = new Map<number, number>()
  for (let round = 0; round < 600; round += 1) {
    const { choices, correctIndex } = shuffleWordChoices(environment, words)
    expect(choices).toHaveLength(6)
    expect(choices[correctIndex]).toEqual(words)
    expect(new Set(choices.flat()).size).toBe(24)
    places.set(correctIndex, (places.get(correctIndex) ?? 0) + 1)
  }
  expect([...places.keys()].sort()).toEqual([0, 1, 2, 3, 4, 5])
  // Each position is expected in about 100 of the 600 rounds.
  expect(Math.min(...places.values())).toBeGreaterThan(60)
})
