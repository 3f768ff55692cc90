import { fakeClock } from '@latchkey/core/testing'
import { fromBase58 } from '@latchkey/protocol/bytes'
import { createKeyPairSignerFromBytes } from '@solana/kit'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { kitFileText, kitText } from '../keys/kit.ts'
import { recordText } from '../keys/record.ts'
import { ownedVault } from '../keys/testing/ownedVault.ts'
import { seededMachine } from '../keys/testing/seededMachine.ts'
import { type Recovered, recover } from './recover.ts'

const machine = seededMachine(37, fakeClock())

test('kit file and code give back words and keys that other wallets take', async () => {
  const { vault, kitCode } = await ownedVault(machine)
  const file = kitFileText({ createdAt: 1, pageHash: 'ab'.repeat(32), record: vault.record })
  const found = (await recover(machine, { file, code: kitText(kitCode) })) as Recovered
  const { eip155, solana } = vault.record.addresses
  expect(found.addresses).toEqual(vault.record.addresses)
  expect(found.words).toEqual(await vault.words())
  expect(mnemonicToAccount(found.words.join(' ')).address).toBe(eip155)
  expect(privateKeyToAccount(found.evmKey as `0x${string}`).address).toBe(eip155)
  expect((await createKeyPairSignerFromBytes(fromBase58(found.solanaKey)!)).address).toBe(solana)
})

test('the sealed vault alone does as well, wherever it was kept', async () => {
  const { vault, kitCode } = await ownedVault(machine)
  const found = await recover(machine, { file: recordText(vault.record), code: kitText(kitCode) })
  expect(found).toMatchObject({ words: await vault.words() })
})

test('what was changed around the seal neither keeps the owner out nor is believed', async () => {
  const { vault, kitCode } = await ownedVault(machine)
  const addresses = { ...vault.record.addresses, solana: '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T' }
  const file = recordText({ ...vault.record, addresses, version: 99 })
  const found = await recover(machine, { file, code: kitText(kitCode) })
  expect(found).toMatchObject({ addresses: vault.record.addresses })
})

test('a slip in the code, the kit of another vault, and a changed file are told apart', async () => {
  const { vault, kitCode } = await ownedVault(machine)
  const other = await ownedVault(machine)
  const file = recordText(vault.record)
  const code = kitText(kitCode)
  const slip = `${code.slice(0, 7)}${code[7] === 'Z' ? 'Y' : 'Z'}${code.slice(8)}`
  expect(await recover(machine, { file, code: slip })).toEqual({ slip: 'group', group: 2 })
  const foreign = recover(machine, { file, code: kitText(other.kitCode) })
  await expect(foreign).rejects.toMatchObject({ code: 'wrapper/unknown' })
  const changed = file.replace(vault.record.vault.sealed, other.vault.record.vault.sealed)
  await expect(recover(machine, { file: changed, code })).rejects.toMatchObject({ code: 'vault/forged' })
  await expect(recover(machine, { file: 'x', code })).rejects.toMatchObject({ code: 'vault/malformed' })
})
