import { getMe, postDevice, postDeviceHalf, putRecord, type VaultMe } from '@latchkey/protocol/http/vault'
import { expect, test } from 'vitest'
import { createApprovals } from './approvals.ts'
import { systemMachine } from './keys/index.ts'
import { memoryDevice } from './keys/testing/memoryDevice.ts'
import { memoryStore } from './keys/testing/memoryStore.ts'
import { createShared } from './shared.ts'
import type { DeviceStore, ThisDevice } from './store.ts'
import type { Subject } from './subject.ts'
import type { VaultClient } from './vaultClient.ts'
import { createWallet, type Wallet } from './wallet.ts'

const half = 'A'.repeat(43)

/** One browser of ada's, whose frame may be loaded anew; the server answers what a test wants it to. */
async function browser(): Promise<{ load(): Wallet; me(): VaultMe; server: { record: string | undefined } }> {
  const server: { record: string | undefined } = { record: undefined }
  const kept = memoryStore()
  const settings = new Map<string, string>()
  const device: ThisDevice = { id: 'device-1', secret: await memoryDevice() }
  const me = (): VaultMe => ({
    user: { id: 'ada', email: 'ada@shop.example', userName: null, createdAt: 1 },
    record: server.record === undefined ? null : { record: server.record, version: 1, updatedAt: 1 },
    devices: [],
    passkeys: [],
    expiresAt: 1,
  })
  const vault = (async (call: { readonly path: string }) => {
    if (call.path === getMe.path) return me()
    if (call.path === postDevice.path || call.path === postDeviceHalf.path) return { serverHalf: half }
    throw new Error(`not asked for: ${call.path}, ${putRecord.path} is the store's`)
  }) as VaultClient
  const store: DeviceStore = {
    available: async () => true,
    device: async () => device,
    forgetDevice: async () => {},
    vaultStore: () => ({
      ...kept,
      save: async (record) => {
        server.record = record
      },
    }),
    recall: async (name) => settings.get(name),
    remember: async (name, value) => void settings.set(name, value),
  }
  const load = (): Wallet =>
    createWallet({
      vault,
      store,
      approvals: createApprovals<Subject>(),
      machine: systemMachine(),
      shared: createShared(),
      embedder: () => 'https://shop.example',
      window: {} as never,
      signedIn: () => {},
      passkeys: async () => false,
      deviceName: 'Chrome on Linux',
    })
  return { load, me, server }
}

test('a server that shows another wallet, or hides the one there is, never gives a browser that has opened it a new address', async () => {
  const { load, me, server } = await browser()
  const first = await load().open(me())
  const { record } = server

  const other = await browser()
  await other.load().open(other.me())
  server.record = other.server.record
  await expect(load().open(me())).rejects.toThrow(/another wallet/)

  for (const shown of [undefined, record]) {
    server.record = shown
    expect((await load().open(me())).addresses).toEqual(first.addresses)
  }
})
