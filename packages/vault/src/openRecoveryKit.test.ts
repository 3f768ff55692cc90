import { fromBase58 } from '@latchkey/protocol/bytes'
import { fakeClock } from '@latchkey/protocol/testing'
import { createKeyPairSignerFromBytes } from '@solana/kit'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { openRecoveryKit, type RecoveredKeys } from './openRecoveryKit.ts'
import { formatRecoveryCode, serializeRecoveryKitFile } from './recoveryKit.ts'
import { seededEnvironment } from './testing/seededEnvironment.ts'
import { createVaultFixture } from './testing/vaultFixture.ts'
import { serializeRecord } from './vaultRecord.ts'

const environment = seededEnvironment(37, fakeClock())

test('the kit file and the recovery code recover the mnemonic and the keys, in formats that other wallets accept', async () => {
  const { vault, recoveryCode } = await createVaultFixture(environment)
  const file = serializeRecoveryKitFile({ createdAt: 1, pageHash: 'ab'.repeat(32), record: vault.record })
  const found = (await openRecoveryKit(environment, { file, code: formatRecoveryCode(recoveryCode) })) as RecoveredKeys
  const { eip155, solana } = vault.record.addresses
  expect(found.addresses).toEqual(vault.record.addresses)
  expect(found.words).toEqual(await vault.mnemonic())
  expect(mnemonicToAccount(found.words.join(' ')).address).toBe(eip155)
  expect(privateKeyToAccount(found.evmKey as `0x${string}`).address).toBe(eip155)
  expect((await createKeyPairSignerFromBytes(fromBase58(found.solanaKey)!)).address).toBe(solana)
})

test('a bare vault record can be used instead of the kit file', async () => {
  const { vault, recoveryCode } = await createVaultFixture(environment)
  const found = await openRecoveryKit(environment, {
    file: serializeRecord(vault.record),
    code: formatRecoveryCode(recoveryCode),
  })
  expect(found).toMatchObject({ words: await vault.mnemonic() })
})

test('a record with a modified version and Solana address still opens, and the modified fields are ignored', async () => {
  const { vault, recoveryCode } = await createVaultFixture(environment)
  const addresses = { ...vault.record.addresses, solana: '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T' }
  const file = serializeRecord({ ...vault.record, addresses, version: 99 })
  const found = await openRecoveryKit(environment, { file, code: formatRecoveryCode(recoveryCode) })
  expect(found).toMatchObject({ addresses: vault.record.addresses })
})

test('a typo in the code, a code for a different vault, and a modified file are reported as different errors', async () => {
  const { vault, recoveryCode } = await createVaultFixture(environment)
  const other = await createVaultFixture(environment)
  const file = serializeRecord(vault.record)
  const code = formatRecoveryCode(recoveryCode)
  const slip = `${code.slice(0, 7)}${code[7] === 'Z' ? 'Y' : 'Z'}${code.slice(8)}`
  expect(await openRecoveryKit(environment, { file, code: slip })).toEqual({ error: 'group', group: 2 })
  const foreign = openRecoveryKit(environment, { file, code: formatRecoveryCode(other.recoveryCode) })
  await expect(foreign).rejects.toMatchObject({ code: 'wrapper/unknown' })
  const changed = file.replace(vault.record.vault.sealed, other.vault.record.vault.sealed)
  await expect(openRecoveryKit(environment, { file: changed, code })).rejects.toMatchObject({ code: 'vault/forged' })
  await expect(openRecoveryKit(environment, { file: 'x', code })).rejects.toMatchObject({ code: 'vault/malformed' })
})
