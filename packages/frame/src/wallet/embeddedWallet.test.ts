import { getMe, type KeysMe, postDevice, postDeviceHalf, putRecord } from '@latchkey/protocol/http/keys'
import { KeyError, parseRecord, systemEnvironment, type VaultRecord } from '@latchkey/vault'
import { formatRecoveryCode, generateRecoveryCode, recoveryCodeUnlockKey } from '@latchkey/vault/recoveryKit'
import { type MemoryVaultStore, memoryDeviceSecret, memoryVaultStore } from '@latchkey/vault/testing'
import { expect, test } from 'vitest'
import { type ApprovalQueue, createApprovalQueue } from '../approvals/approvalQueue.ts'
import type { ApprovalView } from '../approvals/approvalViewModel.ts'
import type { KeysApiClient } from '../keysApiClient.ts'
import { createSingleflight } from '../singleflight.ts'
import type { DeviceIdentity, DeviceStore } from './deviceStore.ts'
import { createEmbeddedWallet, type EmbeddedWallet } from './embeddedWallet.ts'

const serverHalf = 'A'.repeat(43)

/** Creates a browser for the user Ada. Its frame can be reloaded, and each test defines the server's responses. */
async function browser(): Promise<{
  load(): EmbeddedWallet
  me(): KeysMe
  server: { record: string | undefined; version: number; forgets?: boolean }
  approvals: ApprovalQueue<ApprovalView>
  stored: MemoryVaultStore
}> {
  const server: { record: string | undefined; version: number; forgets?: boolean } = { record: undefined, version: 0 }
  const approvals = createApprovalQueue<ApprovalView>()
  const stored = memoryVaultStore()
  const settings = new Map<string, string>()
  const device: DeviceIdentity = { id: 'device-1', secret: await memoryDeviceSecret() }
  const me = (): KeysMe => ({
    user: { id: 'ada', email: 'ada@shop.example', userName: null, createdAt: 1 },
    record: server.record === undefined ? null : { record: server.record, version: server.version, updatedAt: 1 },
    devices: [],
    passkeys: [],
    since: 1,
    expiresAt: 1,
  })
  const keysClient = (async (call: { readonly path: string }) => {
    if (call.path === getMe.path) return me()
    if (call.path === postDevice.path || call.path === postDeviceHalf.path) return { serverHalf }
    throw new Error(`not asked for: ${call.path}, ${putRecord.path} is the store's`)
  }) as KeysApiClient
  const store: DeviceStore = {
    available: async () => true,
    device: async () => (server.forgets ? undefined : device),
    forgetDevice: async () => {},
    vaultStore: () => ({
      ...stored,
      save: async (record, after) => {
        if (after !== (server.record === undefined ? 0 : server.version)) throw new KeyError('vault/conflict')
        server.record = record
        server.version = after + 1
      },
    }),
    recall: async (name) => settings.get(name),
    remember: async (name, value) => void settings.set(name, value),
  }
  const load = (): EmbeddedWallet =>
    createEmbeddedWallet({
      keysClient,
      store,
      approvals,
      environment: systemEnvironment(),
      shared: createSingleflight(),
      embedder: () => 'https://shop.example',
      window: {} as never,
      signedIn: () => {},
      passkeys: async () => false,
      deviceName: 'Chrome on Linux',
    })
  return { load, me, server, approvals, stored }
}

test('a browser that has opened a wallet never gets a new address, even if the server returns a different wallet or no wallet', async () => {
  const { load, me, server } = await browser()
  const first = await load().open(me())
  const { record } = server

  const other = await browser()
  await other.load().open(other.me())
  server.record = other.server.record
  await expect(load().open(me())).rejects.toThrow(/did not return the wallet/)

  for (const shown of [undefined, record]) {
    server.record = shown
    expect((await load().open(me())).addresses).toEqual(first.addresses)
  }
})

test('a wallet that is locked while it is being opened stays locked, and can be opened again later', async () => {
  const { load, me } = await browser()
  const wallet = load()
  const { addresses } = await wallet.open(me())
  wallet.lock()
  const opening = wallet.open(me())
  wallet.lock()
  const again = wallet.open(me())
  await expect(opening).rejects.toThrow('Not signed in')
  expect((await again).addresses).toEqual(addresses)
  expect(wallet.opened()?.vault.locked).toBe(false)
})

test('a wallet that is locked while it is being opened does not ask the user for another key', async () => {
  const { load, me, server, approvals } = await browser()
  await load().open(me())
  server.forgets = true
  const prompted = new Promise<never>((_, reject) => approvals.subscribe(() => reject(new Error('prompted'))))
  const wallet = load()
  const opening = wallet.open(me())
  wallet.lock()
  await expect(Promise.race([opening, prompted])).rejects.toThrow('Not signed in')
})

const zeros = (bytes: number): string => 'A'.repeat(Math.ceil((bytes * 4) / 3))

test.each<[string, (record: VaultRecord) => unknown]>([
  [
    'with keys that do not work',
    ({ wrappers, ...rest }) => ({ ...rest, wrappers: wrappers.map((item) => ({ ...item, id: 'x' })) }),
  ],
  [
    'with a corrupted key for this device',
    ({ wrappers, ...rest }) => ({ ...rest, wrappers: wrappers.map((item) => ({ ...item, sealed: zeros(48) })) }),
  ],
  ['with a different tag', (record) => ({ ...record, tag: zeros(32) })],
  ['without keys', (record) => ({ ...record, wrappers: [] })],
  [
    'with an older version number',
    (record) => ({ ...record, version: 1, wrappers: record.wrappers.map((item) => ({ ...item, id: 'x' })) }),
  ],
  ['with a much newer version number', (record) => ({ ...record, version: 2 ** 40, tag: zeros(32) })],
])('an attacker who has access to the mailbox cannot lock the owner out by storing a record %s', async (_, forged) => {
  const { load, me, server, approvals } = await browser()
  const first = await load().open(me())
  const good = parseRecord(server.record ?? '')
  server.record = JSON.stringify(forged({ ...good, version: 2 }))
  server.version = 2

  const shown: string[] = []
  approvals.subscribe(() => {
    const now = approvals.current()
    if (now?.state !== 'asking') return
    shown.push(now.subject.kind)
    if (now.subject.kind === 'putBack') approvals.approve(now.key)
    else approvals.cancel(now.key)
  })
  expect((await load().open(me())).addresses).toEqual(first.addresses)
  expect(shown).toEqual(['putBack'])
  expect(parseRecord(server.record)).toMatchObject({ version: 3, wrappers: good.wrappers })
  expect(server.version).toBe(3)
  // Restoring the record fixes it for every device, so the user is notified only once.
  expect((await load().open(me())).addresses).toEqual(first.addresses)
  expect(shown).toEqual(['putBack'])
})

test.each<[string, (record: VaultRecord) => unknown]>([
  ['a record without keys', (record) => ({ ...record, wrappers: [] })],
  [
    'a record with keys that do not work',
    (record) => ({ ...record, wrappers: record.wrappers.map((item) => ({ ...item, id: 'x' })) }),
  ],
])(
  'a browser that has lost its device key still accepts the recovery kit if the server returns %s',
  async (_, forged) => {
    const { load, me, server, approvals } = await browser()
    const first = await load().open(me())
    const code = generateRecoveryCode(systemEnvironment())
    await first.vault.addWrapper(await recoveryCodeUnlockKey(systemEnvironment(), code), 'Kit')
    server.record = JSON.stringify(forged({ ...parseRecord(server.record ?? ''), version: 3 }))
    server.version = 3
    server.forgets = true
    const shown: string[] = []
    approvals.subscribe(() => {
      const now = approvals.current()
      if (now?.state !== 'asking') return
      shown.push(now.subject.kind)
      const { subject } = now
      if (subject.kind === 'recover' && shown.length === 1)
        void subject.recovering.openWithKit(formatRecoveryCode(code)).then((vault) => approvals.approve(now.key, vault))
      if (subject.kind === 'putBack') approvals.approve(now.key)
    })
    expect((await load().open(me())).addresses).toEqual(first.addresses)
    expect([...new Set(shown)]).toEqual(['recover', 'putBack'])
    expect(parseRecord(server.record).wrappers).toHaveLength(2)
    expect(server.version).toBe(4)
  },
)

test('a device that the owner removed does not add itself back', async () => {
  const { load, me, server, approvals, stored } = await browser()
  const { vault } = await load().open(me())
  await vault.addWrapper(
    await recoveryCodeUnlockKey(systemEnvironment(), generateRecoveryCode(systemEnvironment())),
    'Kit',
  )
  const before = stored.newestSeenText
  const [own] = vault.record.wrappers
  await vault.removeWrapper(own?.id ?? '')
  const after = server.record
  // Reset the copies in this browser to their state before the removal.
  stored.newestSeenText = before
  stored.versions.clear()
  approvals.subscribe(() => {
    const now = approvals.current()
    if (now?.state === 'asking') approvals.cancel(now.key)
  })
  await expect(load().open(me())).rejects.toThrow()
  expect(server.record).toBe(after)
})
