import { fakeClock } from '@latchkey/core/testing'
import { openVault } from '@latchkey/vault/openVault'
import { parseRecoveryCode, recoveryCodeUnlockKey } from '@latchkey/vault/recoveryKit'
import { createVaultFixture, seededEnvironment } from '@latchkey/vault/testing'
import { expect, test } from 'vitest'
import { createNewRecoveryKit, recoveryKitName } from './newRecoveryKit.ts'

const environment = seededEnvironment(53, fakeClock())

test('a new kit’s displayed code and QR code both open the wallet, and its file contains the record', async () => {
  const { vault, user, store } = await createVaultFixture(environment)
  const { code, qr, unlockKey, file } = await createNewRecoveryKit(environment)
  await vault.addWrapper(await unlockKey(), recoveryKitName)
  const { record } = vault
  for (const typed of [code, qr]) {
    const read = parseRecoveryCode(typed)
    if (!('code' in read)) throw new Error(`${typed} is not a code`)
    const key = await recoveryCodeUnlockKey(environment, read.code)
    const opened = await openVault({ user, record, key, environment, store })
    expect(opened.record.addresses).toEqual(record.addresses)
  }
  expect(JSON.parse(file(record, 7))).toMatchObject({ createdAt: 7, record: { wallet: record.wallet } })
})

test('every kit has a different code', async () => {
  const kits = await Promise.all([1, 2, 3].map(() => createNewRecoveryKit(environment)))
  expect(new Set(kits.map(({ code }) => code)).size).toBe(3)
})
