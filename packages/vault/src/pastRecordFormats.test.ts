import { readFileSync } from 'node:fs'
import { fromBase64Url } from '@latchkey/protocol/bytes'
import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import { deriveAddresses } from './derivation/deriveAddresses.ts'
import { type Bytes, deviceUnlockKey, parseRecord, passkeyUnlockKey, serializeRecord } from './index.ts'
import { openVault } from './openVault.ts'
import { parseRecoveryCode, recoveryCodeUnlockKey } from './recoveryKit.ts'
import { eip155Signer } from './signers/eip155.ts'
import { solanaSigner } from './signers/solana.ts'
import { memoryDeviceSecret } from './testing/memoryDeviceSecret.ts'
import { memoryVaultStore } from './testing/memoryVaultStore.ts'
import { seededEnvironment } from './testing/seededEnvironment.ts'

interface Past {
  readonly record: string
  readonly user: string
  readonly keys: Readonly<
    Record<'deviceId' | 'deviceSecret' | 'serverHalf' | 'passkeyId' | 'passkeyOutput' | 'kit', string>
  >
  readonly addresses: Readonly<Record<string, string>>
  readonly signatures: { readonly eip155: string; readonly solana: string }
}

const environment = seededEnvironment(29, fakeClock())
const bytes = (text: string) => fromBase64Url(text) as Bytes

// Add a line for each released format.
test.each(['record.v1.json'])(
  'the vault in %s opens with each of its keys and creates the same signatures as before',
  async (file) => {
    const past = JSON.parse(readFileSync(new URL(`./testing/fixtures/${file}`, import.meta.url), 'utf8')) as Past
    const { deviceId, deviceSecret, serverHalf, passkeyId, passkeyOutput, kit } = past.keys
    const typed = parseRecoveryCode(kit)
    if (!('code' in typed)) throw new Error('The kit of the fixture is damaged.')
    const keys = [
      deviceUnlockKey(deviceId, await memoryDeviceSecret(bytes(deviceSecret)), bytes(serverHalf)),
      passkeyUnlockKey(passkeyId, bytes(passkeyOutput)),
      await recoveryCodeUnlockKey(environment, typed.code),
    ]
    for (const key of keys) {
      const store = memoryVaultStore()
      const vault = await openVault({ user: past.user, record: parseRecord(past.record), key, environment, store })
      expect(await vault.withRootSecret((root) => deriveAddresses(environment, root))).toEqual(past.addresses)
      expect(await eip155Signer(vault).signMessage({ message: { raw: '0x68656c6c6f' } })).toBe(past.signatures.eip155)
      expect(await solanaSigner(vault).signMessage({ message: 'Cn8eVZg' })).toEqual({
        signature: past.signatures.solana,
      })
      store.savedText = past.record
      await vault.addWrapper(passkeyUnlockKey('bmV3', environment.random(32)), 'New')
      expect(parseRecord(store.savedText).wrappers).toHaveLength(4)
    }
  },
  60_000,
)

test('parsing and serializing a record returns the same text', () => {
  const file = new URL('./testing/fixtures/record.v1.json', import.meta.url)
  const { record } = JSON.parse(readFileSync(file, 'utf8')) as Past
  expect(serializeRecord(parseRecord(record))).toBe(record)
})
