import { postShares, postSharesRelease } from '@latchkey/protocol/http/keys/assistedCustody'
import { fakeClock } from '@latchkey/protocol/testing'
import { openVault } from '@latchkey/vault/openVault'
import { createVaultFixture, seededEnvironment } from '@latchkey/vault/testing'
import { expect, test } from 'vitest'
import { type KeysApiClient, KeysServerError } from '../keysApiClient.ts'
import { createAssistedCustody, getOperatorUnlockKey } from './assistedCustody.ts'
import type { DeviceStore } from './deviceStore.ts'

const environment = seededEnvironment(37, fakeClock())

interface Shares {
  readonly wrapper: string
  readonly server: string
  readonly escrow: string
}

/** Creates a vault with an operator key, and an operator that stores its shares. `release` overrides the operator's response. */
async function recoverableVault() {
  const { vault, store, user } = await createVaultFixture(environment)
  const device = new Map<string, string>()
  const released: object[] = []
  let shares: Shares | undefined
  let release = (): object => ({ server: shares?.server, escrow: shares?.escrow })
  const dependencies = {
    environment,
    store: {
      recall: async (name: string) => device.get(name),
      remember: async (name: string, value: string) => void device.set(name, value),
    } as unknown as DeviceStore,
    keysClient: (async ({ path }: { path: string }, { body }: { body: object }) => {
      if (path === postShares.path) {
        shares = body as Shares
        return {}
      }
      expect(path).toBe(postSharesRelease.path)
      released.push(body)
      return release()
    }) as unknown as KeysApiClient,
  }
  await createAssistedCustody(dependencies, { userId: 'ada', vault })
  const unlockKey = () => getOperatorUnlockKey(dependencies, { userId: 'ada', record: vault.record })
  return {
    vault,
    device,
    released,
    wrapper: () => shares?.wrapper,
    /** Resolves to whether the operator's key opens the vault. */
    async opens() {
      const key = await unlockKey()
      if (!key) return false
      const opened = await openVault({ user, record: vault.record, key, environment, store })
      return String(await opened.mnemonic()) === String(await vault.mnemonic())
    },
    setRelease(next: (shares: Shares | undefined) => object) {
      release = () => next(shares)
    },
    unlockKey,
    dependencies,
  }
}

test('the operator’s key opens the vault with this device’s share, and on a new device with the escrowed share', async () => {
  const { vault, device, released, wrapper, unlockKey, opens, setRelease } = await recoverableVault()
  setRelease((shares) => ({ server: shares?.server, escrow: null }))
  expect(await opens()).toBe(true)
  device.clear()
  expect(await unlockKey()).toBeUndefined()
  setRelease((shares) => ({ server: shares?.server, escrow: shares?.escrow }))
  expect(await opens()).toBe(true)
  expect(released).toEqual([
    { userId: 'ada', wrapper: wrapper(), recover: false },
    { userId: 'ada', wrapper: wrapper(), recover: true },
    { userId: 'ada', wrapper: wrapper(), recover: true },
  ])
  expect(vault.record.wrappers.map(({ name }) => name)).toContain('Recovery with the operator')
})

test('no shares are requested for a vault without an operator key', async () => {
  const { dependencies, released } = await recoverableVault()
  const { vault } = await createVaultFixture(environment)
  expect(await getOperatorUnlockKey(dependencies, { userId: 'ada', record: vault.record })).toBeUndefined()
  expect(released).toEqual([])
})

test.each(['session/stale', 'device/unknown', 'path/unknown', 'limit/reached'] as const)(
  'if the operator responds with %s, the user can still use a different key',
  async (code) => {
    const { unlockKey, setRelease } = await recoverableVault()
    setRelease(() => {
      throw new KeysServerError({ code, message: 'No.' })
    })
    expect(await unlockKey()).toBeUndefined()
  },
)

test('any other failure of the operator is reported', async () => {
  const { unlockKey, setRelease } = await recoverableVault()
  setRelease(() => {
    throw new KeysServerError({ code: 'session/none', message: 'No.' })
  })
  await expect(unlockKey()).rejects.toThrow('Not signed in')
})
