import { fakeClock } from '@latchkey/core/testing'
import { expect, test } from 'vitest'
import { createVault } from './create.ts'
import { type Bytes, deviceKey, parseRecord, passkeyKey, protection, resume, type VaultRecord } from './index.ts'
import { kitKey } from './kit.ts'
import { openVault } from './open.ts'
import { memoryDevice } from './testing/memoryDevice.ts'
import { memoryStore } from './testing/memoryStore.ts'
import { ownedVault } from './testing/ownedVault.ts'
import { seededMachine } from './testing/seededMachine.ts'
import { sealEntropy, withVault } from './vault.ts'

const machine = () => seededMachine(7, fakeClock())

test('each of the three keys alone opens the vault, and finds the same addresses', async () => {
  const { user, keys, store, vault, machine: own } = await ownedVault(machine())
  const record = parseRecord(store.saved!)
  for (const key of [keys.device, keys.passkey, keys.kit]) {
    const opened = await openVault({ user, record, key, machine: own, store })
    expect(opened.record.addresses).toEqual(vault.record.addresses)
    expect(await opened.words()).toEqual(await vault.words())
  }
})

test('no other key opens it: another passkey, kit, device, half of the server, or wallet', async () => {
  const { user, store, device, serverHalf, prfOutput, machine: own } = await ownedVault(machine())
  const record = parseRecord(store.saved!)
  const other = (bytes: Bytes) => bytes.map((byte, at) => (at === 5 ? byte ^ 1 : byte))
  const strangers = [
    passkeyKey('cGFzc2tleS0x', other(prfOutput)),
    deviceKey('device-1', device, other(serverHalf)),
    deviceKey('device-1', await memoryDevice(), serverHalf),
    { ...passkeyKey('cGFzc2tleS0x', prfOutput), kind: 'device' as const },
    { ...passkeyKey('device-1', prfOutput), kind: 'device' as const },
    passkeyKey('b3RoZXI', prfOutput),
    await kitKey(own, own.random(20)),
  ]
  for (const key of strangers) {
    await expect(openVault({ user, record, key, machine: own, store })).rejects.toThrow(/key/)
  }
})

test('the keys of one vault open no other, even under the same id', async () => {
  const own = machine()
  const mine = await ownedVault(own, 'user-1')
  const theirs = await ownedVault(own, 'user-2')
  const record = parseRecord(theirs.store.saved!)
  const opening = openVault({ user: 'user-2', record, key: mine.keys.device, machine: own, store: theirs.store })
  await expect(opening).rejects.toMatchObject({ code: 'wrapper/does-not-open' })
})

test('another user is refused, though the key is right', async () => {
  const { keys, store, machine: own } = await ownedVault(machine())
  const opening = openVault({
    user: 'user-2',
    record: parseRecord(store.saved!),
    key: keys.device,
    machine: own,
    store,
  })
  await expect(opening).rejects.toMatchObject({ code: 'vault/other-user' })
})

test('a vault with one kind of key asks for another; two kinds protect it', async () => {
  const own = machine()
  const store = memoryStore()
  const key = deviceKey('device-1', await memoryDevice(), own.random(32))
  const vault = await createVault({ user: 'user-1', key, name: 'Laptop', machine: own, store })
  expect(protection(vault.record)).toEqual({ kinds: ['device'], keys: 1, state: 'single', operatorCanSign: false })
  await vault.addWrapper(deviceKey('device-2', await memoryDevice(), own.random(32)), 'Phone')
  expect(protection(vault.record).state).toBe('single')
  await vault.addWrapper(passkeyKey('cGFzcw', own.random(32)), 'Passkey')
  expect(protection(vault.record).state).toBe('protected')
})

test('keys can be taken away, but never the last', async () => {
  const { vault, keys, store, user, machine: own } = await ownedVault(machine())
  await vault.removeWrapper(keys.passkey.id)
  await vault.removeWrapper(keys.device.id)
  await expect(vault.removeWrapper(keys.kit.id)).rejects.toMatchObject({ code: 'wrapper/last' })
  const record = parseRecord(store.saved!)
  expect(record.wrappers.map(({ kind }) => kind)).toEqual(['kit'])
  const gone = openVault({ user, record, key: keys.passkey, machine: own, store })
  await expect(gone).rejects.toMatchObject({ code: 'wrapper/unknown' })
  expect((await openVault({ user, record, key: keys.kit, machine: own, store })).locked).toBe(false)
})

test('changes that are asked for at once are made one after the other', async () => {
  const { vault, store, keys, machine: own } = await ownedVault(machine())
  await Promise.all([
    vault.addWrapper(passkeyKey('YQ', own.random(32)), 'A'),
    vault.addWrapper(passkeyKey('Yg', own.random(32)), 'B'),
    vault.removeWrapper(keys.passkey.id),
  ])
  const { version, wrappers } = parseRecord(store.saved!)
  expect([version, wrappers.map(({ name }) => name)]).toEqual([6, ['Laptop', 'Paper', 'A', 'B']])
})

test('the server cannot bring back a key that was taken away, on a device that saw it go', async () => {
  const { vault, keys, store, user, machine: own } = await ownedVault(machine())
  const before = parseRecord(store.saved!)
  await vault.removeWrapper(keys.passkey.id)
  const rolledBack = openVault({ user, record: before, key: keys.passkey, machine: own, store })
  await expect(rolledBack).rejects.toMatchObject({ code: 'vault/rolled-back' })
  const mixed = { ...parseRecord(store.saved!), wrappers: before.wrappers }
  const forged = openVault({ user, record: mixed, key: keys.passkey, machine: own, store })
  await expect(forged).rejects.toMatchObject({ code: 'vault/forged' })
})

test('a stolen device is cut off: without its half, with the half of another, or with one from before, nothing opens', async () => {
  const { user, vault, store, device, serverHalf, machine: own } = await ownedVault(machine())
  const open = (half: Bytes, id = 'device-1') =>
    openVault({ user, record: parseRecord(store.saved!), key: deviceKey(id, device, half), machine: own, store })
  const second = own.random(32)
  await vault.addWrapper(deviceKey('device-2', await memoryDevice(own.random(32)), second), 'Second')
  expect((await open(serverHalf)).locked).toBe(false)
  await expect(open(second)).rejects.toMatchObject({ code: 'wrapper/does-not-open' })
  await expect(open(second, 'device-2')).rejects.toMatchObject({ code: 'wrapper/does-not-open' })
  // The half is replaced at the server: what was recorded of the old one is worth nothing.
  await vault.replaceWrapper(deviceKey('device-1', device, own.random(32)), 'Laptop')
  await expect(open(serverHalf)).rejects.toMatchObject({ code: 'wrapper/does-not-open' })
})

test('format, user, wallet, first address and creation time are sealed in: none can be changed, tag or no tag', async () => {
  const own = machine()
  const { vault } = await ownedVault(own)
  const { record } = vault
  const other = (await ownedVault(own)).vault.record
  const opens = (changed: Partial<VaultRecord>) =>
    vault.withVaultKey((key) => withVault(own, key, { record: { ...record, ...changed }, use: () => 'open' }))
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

test('a seal that opens on the key of another address is refused', async () => {
  const own = machine()
  const { vault } = await ownedVault(own)
  const { record } = vault
  const opening = vault.withVaultKey(async (key) => {
    const sealed = await sealEntropy(own, key, { entropy: own.random(32), home: record })
    return withVault(own, key, { record: { ...record, vault: sealed }, use: () => 'open' })
  })
  await expect(opening).rejects.toMatchObject({ code: 'vault/wrong-address' })
})

test('a vault locks by itself when nobody signs for a while, and wipes its key', async () => {
  const clock = fakeClock()
  const { store, keys, user } = await ownedVault(seededMachine(7, clock))
  const own = seededMachine(8, clock)
  const record = parseRecord(store.saved!)
  const vault = await openVault({ user, record, key: keys.kit, machine: own, store, lockAfterMs: 60_000 })
  let told = 0
  vault.onLock(() => told++)
  let lent: Bytes = new Uint8Array()
  await vault.withVaultKey((key) => {
    lent = key
  })
  expect(lent.every((byte) => byte === 0)).toBe(true)
  await clock.pass(59_000)
  await vault.words()
  await clock.pass(59_000)
  expect(vault.locked).toBe(false)
  await clock.pass(1_000)
  expect([vault.locked, told]).toEqual([true, 1])
  await expect(vault.words()).rejects.toMatchObject({ code: 'vault/locked' })
  await expect(vault.addWrapper(keys.passkey, 'x')).rejects.toMatchObject({ code: 'vault/locked' })
})

test('a lock in the middle of a use lets that use finish and the next fail', async () => {
  const { vault } = await ownedVault(machine())
  const sum = await vault.withRoot(({ seed }) => {
    vault.lock()
    return seed.reduce((total, byte) => total + byte, 0)
  })
  expect(sum).toBeGreaterThan(0)
  await expect(vault.withRoot(() => 1)).rejects.toMatchObject({ code: 'vault/locked' })
})

test('a record that another tab saved is taken over; an older or a foreign one is not', async () => {
  const { vault, store, keys, user, machine: own } = await ownedVault(machine())
  const old = store.saved!
  const second = await openVault({ user, record: parseRecord(old), key: keys.device, machine: own, store })
  await second.addWrapper(passkeyKey('bmV3', own.random(32)), 'New')
  await vault.follow(store.saved!)
  expect(vault.record.version).toBe(4)
  await expect(vault.follow(old)).rejects.toMatchObject({ code: 'vault/rolled-back' })
  const forged = JSON.stringify({ ...parseRecord(store.saved!), version: 9 })
  await expect(vault.follow(forged)).rejects.toMatchObject({ code: 'vault/forged' })
  const foreign = (await ownedVault(own)).store.saved!
  await expect(vault.follow(foreign)).rejects.toMatchObject({ code: 'vault/other-user' })
})

// --- A crash between two steps --------------------------------------------------------------------------------------

test('a crash before the server heard of a new vault: the next run saves that vault, not another', async () => {
  const own = machine()
  const store = memoryStore()
  const key = passkeyKey('cGFzcw', own.random(32))
  store.fault = { at: 'before' }
  await expect(createVault({ user: 'user-1', key, name: 'x', machine: own, store })).rejects.toThrow('no network')
  const { wallet } = parseRecord(store.draftText!)
  store.fault = undefined
  const standing = await resume(store, { user: 'user-1', saved: undefined })
  expect([standing?.wallet, parseRecord(store.saved!).wallet, store.draftText]).toEqual([wallet, wallet, undefined])
  expect((await openVault({ user: 'user-1', record: standing!, key, machine: own, store })).locked).toBe(false)
})

test('a crash after the server heard, before we knew: nothing is saved twice', async () => {
  const own = machine()
  const store = memoryStore()
  const key = passkeyKey('cGFzcw', own.random(32))
  store.fault = { at: 'after' }
  await expect(createVault({ user: 'user-1', key, name: 'x', machine: own, store })).rejects.toThrow('no answer')
  store.fault = undefined
  const saved = parseRecord(store.saved!)
  expect(await resume(store, { user: 'user-1', saved })).toEqual(saved)
  expect([store.draftText, parseRecord(store.saved!).version]).toEqual([undefined, 1])
})

test('a crash between "vault saved" and "second key saved" ends with both, once', async () => {
  const { vault, store, machine: own, user } = await ownedVault(machine())
  const key = passkeyKey('bmV3', own.random(32))
  store.fault = { at: 'before' }
  await expect(vault.addWrapper(key, 'New')).rejects.toThrow('no network')
  expect(vault.record.version).toBe(3)
  store.fault = undefined
  const standing = await resume(store, { user, saved: parseRecord(store.saved!) })
  expect([standing?.version, standing?.wrappers.at(-1)?.name]).toEqual([4, 'New'])
  expect(await resume(store, { user, saved: parseRecord(store.saved!) })).toEqual(standing)
})

test('a draft that came too late, of another wallet or of nothing readable is dropped; that of another user is kept', async () => {
  const { store, user, machine: own } = await ownedVault(machine())
  const saved = parseRecord(store.saved!)
  const other = (await ownedVault(own)).store.saved!
  for (const draft of [other, '{}', 'x', store.saved!]) {
    store.draftText = draft
    expect(await resume(store, { user, saved })).toEqual(saved)
    expect(store.draftText).toBe(undefined)
  }
  store.draftText = other
  expect(await resume(store, { user: 'user-9', saved: undefined })).toBe(undefined)
  expect(store.draftText).toBe(other)
})

test('a server that comes back from an older copy is given what this device saw last, version by version', async () => {
  const { store, user, vault } = await ownedVault(machine())
  const newest = vault.record
  const saved: string[] = []
  const older = { ...newest, version: 1 }
  const restored = {
    ...store,
    save: async (record: string, after: number) => void saved.push(`${after} ${parseRecord(record).version}`),
  }
  expect(await resume(restored, { user, saved: older })).toEqual(newest)
  expect(saved).toEqual(['1 3', '2 3'])
  // Nothing of somebody else, of another wallet, or when the server has as much.
  saved.length = 0
  expect(await resume(restored, { user: 'user-9', saved: older })).toEqual(older)
  expect(await resume(restored, { user, saved: { ...older, wallet: 'AAAAAAAAAAAAAAAAAAAAAA' } })).toMatchObject({
    version: 1,
  })
  expect(await resume(restored, { user, saved: newest })).toEqual(newest)
  expect(saved).toEqual([])
})
