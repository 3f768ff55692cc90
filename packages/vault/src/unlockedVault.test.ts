import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import { createVault } from './createVault.ts'
import {
  type Bytes,
  deviceUnlockKey,
  getProtection,
  parseRecord,
  passkeyUnlockKey,
  resumeSave,
  type VaultRecord,
} from './index.ts'
import { openVault } from './openVault.ts'
import { recoveryCodeUnlockKey } from './recoveryKit.ts'
import { sealEntropy, withSealedRoot } from './sealedVault.ts'
import { memoryDeviceSecret } from './testing/memoryDeviceSecret.ts'
import { memoryVaultStore } from './testing/memoryVaultStore.ts'
import { seededEnvironment } from './testing/seededEnvironment.ts'
import { createVaultFixture } from './testing/vaultFixture.ts'

const newEnvironment = () => seededEnvironment(7, fakeClock())

test('each of the three keys opens the vault on its own and yields the same addresses', async () => {
  const { user, keys, store, vault, environment } = await createVaultFixture(newEnvironment())
  const record = parseRecord(store.savedText!)
  for (const key of [keys.device, keys.passkey, keys.kit]) {
    const opened = await openVault({ user, record, key, environment, store })
    expect(opened.record.addresses).toEqual(vault.record.addresses)
    expect(await opened.mnemonic()).toEqual(await vault.mnemonic())
  }
})

test('a different passkey, recovery code, device or server share does not open the vault', async () => {
  const { user, store, device, serverShare, prfOutput, environment } = await createVaultFixture(newEnvironment())
  const record = parseRecord(store.savedText!)
  const other = (bytes: Bytes) => bytes.map((byte, at) => (at === 5 ? byte ^ 1 : byte))
  const strangers = [
    passkeyUnlockKey('cGFzc2tleS0x', other(prfOutput)),
    deviceUnlockKey('device-1', device, other(serverShare)),
    deviceUnlockKey('device-1', await memoryDeviceSecret(), serverShare),
    { ...passkeyUnlockKey('cGFzc2tleS0x', prfOutput), kind: 'device' as const },
    { ...passkeyUnlockKey('device-1', prfOutput), kind: 'device' as const },
    passkeyUnlockKey('b3RoZXI', prfOutput),
    await recoveryCodeUnlockKey(environment, environment.random(20)),
  ]
  for (const key of strangers) {
    await expect(openVault({ user, record, key, environment, store })).rejects.toThrow(/key/)
  }
})

test('the keys for one vault do not open a different vault, even if they have the same IDs', async () => {
  const environment = newEnvironment()
  const first = await createVaultFixture(environment, 'user-1')
  const second = await createVaultFixture(environment, 'user-2')
  const record = parseRecord(second.store.savedText!)
  const opening = openVault({ user: 'user-2', record, key: first.keys.device, environment, store: second.store })
  await expect(opening).rejects.toMatchObject({ code: 'wrapper/does-not-open' })
})

test('openVault() rejects a different user, even with the correct key', async () => {
  const { keys, store, environment } = await createVaultFixture(newEnvironment())
  const opening = openVault({
    user: 'user-2',
    record: parseRecord(store.savedText!),
    key: keys.device,
    environment,
    store,
  })
  await expect(opening).rejects.toMatchObject({ code: 'vault/other-user' })
})

test('a vault with one kind of key is "single", and a vault with two kinds is "protected"', async () => {
  const environment = newEnvironment()
  const store = memoryVaultStore()
  const key = deviceUnlockKey('device-1', await memoryDeviceSecret(), environment.random(32))
  const vault = await createVault({ user: 'user-1', key, name: 'Laptop', environment, store })
  expect(getProtection(vault.record)).toEqual({ kinds: ['device'], keys: 1, state: 'single', operatorCanSign: false })
  await vault.addWrapper(deviceUnlockKey('device-2', await memoryDeviceSecret(), environment.random(32)), 'Phone')
  expect(getProtection(vault.record).state).toBe('single')
  await vault.addWrapper(passkeyUnlockKey('cGFzcw', environment.random(32)), 'Passkey')
  expect(getProtection(vault.record).state).toBe('protected')
})

test('every key except the last one can be removed', async () => {
  const { vault, keys, store, user, environment } = await createVaultFixture(newEnvironment())
  await vault.removeWrapper(keys.passkey.id)
  await vault.removeWrapper(keys.device.id)
  await expect(vault.removeWrapper(keys.kit.id)).rejects.toMatchObject({ code: 'wrapper/last' })
  const record = parseRecord(store.savedText!)
  expect(record.wrappers.map(({ kind }) => kind)).toEqual(['kit'])
  const opening = openVault({ user, record, key: keys.passkey, environment, store })
  await expect(opening).rejects.toMatchObject({ code: 'wrapper/unknown' })
  expect((await openVault({ user, record, key: keys.kit, environment, store })).locked).toBe(false)
})

test('a key cannot be added twice, and only a key of the vault can be replaced or removed', async () => {
  const { vault, keys, store, environment, prfOutput } = await createVaultFixture(newEnvironment())
  const saved = store.savedText
  const unknown = passkeyUnlockKey('dW5rbm93bg', prfOutput)
  await expect(vault.addWrapper(keys.passkey, 'Again')).rejects.toMatchObject({ code: 'wrapper/exists' })
  await expect(vault.replaceWrapper(unknown, 'Other')).rejects.toMatchObject({ code: 'wrapper/unknown' })
  await expect(vault.removeWrapper(unknown.id)).rejects.toMatchObject({ code: 'wrapper/unknown' })
  expect(store.savedText).toBe(saved)
  const renewed = passkeyUnlockKey(keys.passkey.id, environment.random(32))
  await vault.replaceWrapper(renewed, 'New phone')
  const record = parseRecord(store.savedText!)
  expect(record.wrappers.map(({ name }) => name)).toEqual(['Laptop', 'New phone', 'Paper'])
  const open = (key: typeof renewed) => openVault({ user: 'user-1', record, key, environment, store })
  await expect(open(keys.passkey)).rejects.toMatchObject({ code: 'wrapper/does-not-open' })
  expect((await open(renewed)).locked).toBe(false)
})

test('a vault has at most 32 keys', async () => {
  const { vault, environment } = await createVaultFixture(newEnvironment())
  const add = (id: string) => vault.addWrapper(passkeyUnlockKey(id, environment.random(32)), id)
  for (let count = 3; count < 32; count++) await add(`key${count}`)
  await expect(add('onetoomany')).rejects.toMatchObject({ code: 'wrapper/too-many' })
  expect(vault.record.wrappers).toHaveLength(32)
  await vault.removeWrapper('key3')
  await add('another')
  expect(vault.record.wrappers.at(-1)?.name).toBe('another')
})

test('concurrent changes run one after another', async () => {
  const { vault, store, keys, environment } = await createVaultFixture(newEnvironment())
  await Promise.all([
    vault.addWrapper(passkeyUnlockKey('YQ', environment.random(32)), 'A'),
    vault.addWrapper(passkeyUnlockKey('Yg', environment.random(32)), 'B'),
    vault.removeWrapper(keys.passkey.id),
  ])
  const { version, wrappers } = parseRecord(store.savedText!)
  expect([version, wrappers.map(({ name }) => name)]).toEqual([6, ['Laptop', 'Paper', 'A', 'B']])
})

test('the server cannot restore a removed key on a device that saw the removal', async () => {
  const { vault, keys, store, user, environment } = await createVaultFixture(newEnvironment())
  const before = parseRecord(store.savedText!)
  await vault.removeWrapper(keys.passkey.id)
  const rolledBack = openVault({ user, record: before, key: keys.passkey, environment, store })
  await expect(rolledBack).rejects.toMatchObject({ code: 'vault/rolled-back' })
  const mixed = { ...parseRecord(store.savedText!), wrappers: before.wrappers }
  const forged = openVault({ user, record: mixed, key: keys.passkey, environment, store })
  await expect(forged).rejects.toMatchObject({ code: 'vault/forged' })
})

test('a device cannot open the vault with a replaced server share or with the share of a different device', async () => {
  const { user, vault, store, device, serverShare, environment } = await createVaultFixture(newEnvironment())
  const open = (share: Bytes, id = 'device-1') =>
    openVault({
      user,
      record: parseRecord(store.savedText!),
      key: deviceUnlockKey(id, device, share),
      environment,
      store,
    })
  const second = environment.random(32)
  await vault.addWrapper(
    deviceUnlockKey('device-2', await memoryDeviceSecret(environment.random(32)), second),
    'Second',
  )
  expect((await open(serverShare)).locked).toBe(false)
  await expect(open(second)).rejects.toMatchObject({ code: 'wrapper/does-not-open' })
  await expect(open(second, 'device-2')).rejects.toMatchObject({ code: 'wrapper/does-not-open' })
  // Once the share on the server is replaced, the old share is useless, even to someone who recorded it.
  await vault.replaceWrapper(deviceUnlockKey('device-1', device, environment.random(32)), 'Laptop')
  await expect(open(serverShare)).rejects.toMatchObject({ code: 'wrapper/does-not-open' })
})

test('the vault does not open if its user, wallet, EVM address or creation time is changed', async () => {
  const environment = newEnvironment()
  const { vault } = await createVaultFixture(environment)
  const { record } = vault
  const other = (await createVaultFixture(environment)).vault.record
  const opens = (changed: Partial<VaultRecord>) =>
    vault.withVaultKey((key) =>
      withSealedRoot(environment, key, { record: { ...record, ...changed }, use: () => 'open' }),
    )
  expect(await opens({})).toBe('open')
  const changes: Partial<VaultRecord>[] = [
    { user: 'user-2' },
    { wallet: other.wallet },
    { addresses: { ...record.addresses, eip155: other.addresses.eip155 } },
    { createdAt: record.createdAt + 1 },
    { vault: other.vault },
  ]
  for (const changed of changes) await expect(opens(changed)).rejects.toMatchObject({ code: 'vault/forged' })
})

test('a vault that decrypts to the key for a different address is rejected', async () => {
  const environment = newEnvironment()
  const { vault } = await createVaultFixture(environment)
  const { record } = vault
  const opening = vault.withVaultKey(async (key) => {
    const sealed = await sealEntropy(environment, key, { entropy: environment.random(32), context: record })
    return withSealedRoot(environment, key, { record: { ...record, vault: sealed }, use: () => 'open' })
  })
  await expect(opening).rejects.toMatchObject({ code: 'vault/wrong-address' })
})

test('a vault locks automatically after inactivity and wipes its key', async () => {
  const clock = fakeClock()
  const { store, keys, user } = await createVaultFixture(seededEnvironment(7, clock))
  const environment = seededEnvironment(8, clock)
  const record = parseRecord(store.savedText!)
  const vault = await openVault({ user, record, key: keys.kit, environment, store, lockAfterMs: 60_000 })
  let lockCount = 0
  vault.onLock(() => lockCount++)
  let borrowed: Bytes = new Uint8Array()
  await vault.withVaultKey((key) => {
    borrowed = key
  })
  expect(borrowed.every((byte) => byte === 0)).toBe(true)
  await clock.pass(59_000)
  await vault.mnemonic()
  await clock.pass(59_000)
  expect(vault.locked).toBe(false)
  await clock.pass(1_000)
  expect([vault.locked, lockCount]).toEqual([true, 1])
  await expect(vault.mnemonic()).rejects.toMatchObject({ code: 'vault/locked' })
  await expect(vault.addWrapper(keys.passkey, 'x')).rejects.toMatchObject({ code: 'vault/locked' })
})

test('lock() lets a call in progress finish, and makes the next call fail', async () => {
  const { vault } = await createVaultFixture(newEnvironment())
  const sum = await vault.withRootSecret(({ seed }) => {
    vault.lock()
    return seed.reduce((total, byte) => total + byte, 0)
  })
  expect(sum).toBeGreaterThan(0)
  await expect(vault.withRootSecret(() => 1)).rejects.toMatchObject({ code: 'vault/locked' })
})

test('a record saved by another tab is adopted, unless it is older, forged or from a different vault', async () => {
  const { vault, store, keys, user, environment } = await createVaultFixture(newEnvironment())
  const old = store.savedText!
  const second = await openVault({ user, record: parseRecord(old), key: keys.device, environment, store })
  await second.addWrapper(passkeyUnlockKey('bmV3', environment.random(32)), 'New')
  await vault.adoptRecord(store.savedText!)
  expect(vault.record.version).toBe(4)
  await expect(vault.adoptRecord(old)).rejects.toMatchObject({ code: 'vault/rolled-back' })
  const forged = JSON.stringify({ ...parseRecord(store.savedText!), version: 9 })
  await expect(vault.adoptRecord(forged)).rejects.toMatchObject({ code: 'vault/forged' })
  const foreign = (await createVaultFixture(environment)).store.savedText!
  await expect(vault.adoptRecord(foreign)).rejects.toMatchObject({ code: 'vault/other-user' })
})

// --- A crash between two steps --------------------------------------------------------------------------------------

test('if a crash occurs before a new vault reaches the server, the next run saves that vault instead of creating another one', async () => {
  const environment = newEnvironment()
  const store = memoryVaultStore()
  const key = passkeyUnlockKey('cGFzcw', environment.random(32))
  store.fault = { at: 'before' }
  await expect(createVault({ user: 'user-1', key, name: 'x', environment, store })).rejects.toThrow('no network')
  const { wallet } = parseRecord(store.draftText!)
  store.fault = undefined
  const standing = await resumeSave(store, { user: 'user-1', saved: undefined })
  expect([standing?.wallet, parseRecord(store.savedText!).wallet, store.draftText]).toEqual([wallet, wallet, undefined])
  expect((await openVault({ user: 'user-1', record: standing!, key, environment, store })).locked).toBe(false)
})

test('if a crash occurs before a save is confirmed, the record is not saved twice', async () => {
  const environment = newEnvironment()
  const store = memoryVaultStore()
  const key = passkeyUnlockKey('cGFzcw', environment.random(32))
  store.fault = { at: 'after' }
  await expect(createVault({ user: 'user-1', key, name: 'x', environment, store })).rejects.toThrow('no answer')
  store.fault = undefined
  const saved = parseRecord(store.savedText!)
  expect(await resumeSave(store, { user: 'user-1', saved })).toEqual(saved)
  expect([store.draftText, parseRecord(store.savedText!).version]).toEqual([undefined, 1])
})

test('if a crash occurs before a second key is saved, the next run saves the key once', async () => {
  const { vault, store, environment, user } = await createVaultFixture(newEnvironment())
  const key = passkeyUnlockKey('bmV3', environment.random(32))
  store.fault = { at: 'before' }
  await expect(vault.addWrapper(key, 'New')).rejects.toThrow('no network')
  expect(vault.record.version).toBe(3)
  store.fault = undefined
  const standing = await resumeSave(store, { user, saved: parseRecord(store.savedText!) })
  expect([standing?.version, standing?.wrappers.at(-1)?.name]).toEqual([4, 'New'])
  expect(await resumeSave(store, { user, saved: parseRecord(store.savedText!) })).toEqual(standing)
})

test('a draft that is outdated, unreadable or for a different wallet is deleted, but a different user’s draft is kept', async () => {
  const { store, user, environment } = await createVaultFixture(newEnvironment())
  const saved = parseRecord(store.savedText!)
  const other = (await createVaultFixture(environment)).store.savedText!
  for (const draft of [other, '{}', 'x', store.savedText!]) {
    store.draftText = draft
    expect(await resumeSave(store, { user, saved })).toEqual(saved)
    expect(store.draftText).toBe(undefined)
  }
  store.draftText = other
  expect(await resumeSave(store, { user: 'user-9', saved: undefined })).toBe(undefined)
  expect(store.draftText).toBe(other)
})

test('a server restored from an older backup receives the newest record from this device, once for each missing version', async () => {
  const { store, user, vault } = await createVaultFixture(newEnvironment())
  const newest = vault.record
  const saved: string[] = []
  const older = { ...newest, version: 1 }
  const restored = {
    ...store,
    save: async (record: string, after: number) => void saved.push(`${after} ${parseRecord(record).version}`),
  }
  expect(await resumeSave(restored, { user, saved: older })).toEqual(newest)
  expect(saved).toEqual(['1 3', '2 3'])
  // Records that belong to a different user or wallet are not restored, and nothing is sent if the server is up to date.
  saved.length = 0
  expect(await resumeSave(restored, { user: 'user-9', saved: older })).toEqual(older)
  expect(await resumeSave(restored, { user, saved: { ...older, wallet: 'AAAAAAAAAAAAAAAAAAAAAA' } })).toMatchObject({
    version: 1,
  })
  expect(await resumeSave(restored, { user, saved: newest })).toEqual(newest)
  expect(saved).toEqual([])
})
