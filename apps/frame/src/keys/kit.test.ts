import { fakeClock } from '@latchkey/core/testing'
import { expect, test } from 'vitest'
import { kitFileText, kitKey, kitQr, kitText, newKitCode, readKitCode, readKitFile } from './kit.ts'
import { openVault } from './open.ts'
import { ownedVault } from './testing/ownedVault.ts'
import { seededMachine } from './testing/seededMachine.ts'

const machine = seededMachine(11, fakeClock())

test('a code survives paper: printed, typed carelessly, or scanned', () => {
  for (let round = 0; round < 200; round++) {
    const code = newKitCode(machine)
    expect(kitText(code)).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){7}[0-9A-HJKMNP-TV-Z]{5}$/)
    const careless = kitText(code).toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
    for (const typed of [kitText(code), careless, kitQr(code), ` ${kitQr(code).toLowerCase()}\n`]) {
      expect(readKitCode(typed)).toEqual({ code })
    }
  }
})

test('every single slip is found in its group, and so is every swap of neighbours', () => {
  const letters = kitText(newKitCode(machine)).replaceAll('-', '')
  for (let at = 0; at < 40; at++) {
    for (const letter of '0123456789ABCDEFGHJKMNPQRSTVWXYZ') {
      if (letter === letters[at]) continue
      const typed = letters.slice(0, at) + letter + letters.slice(at + 1)
      expect(readKitCode(typed)).toEqual({ slip: 'group', group: Math.floor(at / 5) + 1 })
    }
    const swapped = letters.slice(0, at) + (letters[at + 1] ?? '') + letters[at] + letters.slice(at + 2)
    if (at % 5 < 3 && swapped !== letters) expect(readKitCode(swapped)).toMatchObject({ slip: 'group' })
  }
})

test('groups in the wrong order are found', () => {
  const [first, second, ...rest] = kitText(newKitCode(machine)).split('-')
  expect(readKitCode([second, first, ...rest].join('-'))).toEqual({ slip: 'group', group: 1 })
})

test('a code of the wrong length, or with a letter that no code has, says which', () => {
  const text = kitText(newKitCode(machine))
  expect(readKitCode(text.slice(1))).toEqual({ slip: 'length', letters: 39 })
  expect(readKitCode('')).toEqual({ slip: 'length', letters: 0 })
  expect(readKitCode(`${text.slice(0, -1)}U`)).toEqual({ slip: 'letter', letter: 'U' })
  expect(readKitCode('🔑'.repeat(40))).toEqual({ slip: 'letter', letter: '🔑' })
})

test('kit file and code together open the vault without any server; the file alone has no code in it', async () => {
  const { user, vault, store, kitCode } = await ownedVault(machine)
  const text = kitFileText({ createdAt: 5, pageHash: 'ab'.repeat(32), record: vault.record })
  expect(text).not.toContain(kitText(kitCode))
  const { record } = readKitFile(text)
  const key = await kitKey(machine, kitCode)
  expect(await (await openVault({ user, record, key, machine, store })).words()).toEqual(await vault.words())
})

test.each(['', '{}', '{"type":"latchkey-recovery-kit"}', '[]'])('%j is no kit file', (text) => {
  expect(() => readKitFile(text)).toThrow('no recovery kit')
})
