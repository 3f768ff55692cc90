import { fromBase64Url, toBase64Url } from '@latchkey/protocol/bytes'
import { fakeClock, seededRandom } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import { KeyError, parseRecord, serializeRecord, type VaultRecord } from './index.ts'
import { openVault } from './openVault.ts'
import { memoryVaultStore } from './testing/memoryVaultStore.ts'
import { seededEnvironment } from './testing/seededEnvironment.ts'
import { createVaultFixture } from './testing/vaultFixture.ts'

const seed = Number(process.env.SEED ?? 20_261_121)
const environment = seededEnvironment(seed, fakeClock())

/** Whether a record from a malicious server opens on a device that has never seen this vault. Only the key is trusted. */
async function opens(text: string, owned: Awaited<ReturnType<typeof createVaultFixture>>): Promise<boolean> {
  try {
    const key = owned.keys.device
    await openVault({ user: owned.user, record: parseRecord(text), key, environment, store: memoryVaultStore() })
    return true
  } catch (error) {
    // Every rejection must be a KeyError, not an error from a decoder or the JavaScript engine.
    expect(error).toBeInstanceOf(KeyError)
    return false
  }
}

test('a record does not open if any byte is changed', async () => {
  const owned = await createVaultFixture(environment)
  const text = serializeRecord(owned.vault.record)
  expect(await opens(text, owned)).toBe(true)
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const changed = text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1)
    expect(await opens(changed, owned), `letter ${at}: ${changed.slice(at - 20, at + 20)}`).toBe(false)
    count++
  }
  process.stdout.write(`vault fuzz: every letter of a record, ${count} in all, seed ${seed}\n`)
}, 60_000)

test('a record does not open if any bit of a ciphertext, nonce, salt or tag is flipped', async () => {
  const owned = await createVaultFixture(environment)
  const { record } = owned.vault
  const places: [string, string, (record: VaultRecord, text: string) => VaultRecord][] = [
    ['vault.sealed', record.vault.sealed, (r, sealed) => ({ ...r, vault: { ...r.vault, sealed } })],
    ['vault.nonce', record.vault.nonce, (r, nonce) => ({ ...r, vault: { ...r.vault, nonce } })],
    ['tag', record.tag, (r, tag) => ({ ...r, tag })],
    ...(['sealed', 'nonce', 'salt'] as const).map((field): (typeof places)[number] => [
      `wrapper.${field}`,
      record.wrappers[0]![field],
      (r, text) => ({ ...r, wrappers: [{ ...r.wrappers[0]!, [field]: text }, ...r.wrappers.slice(1)] }),
    ]),
  ]
  let count = 0
  for (const [name, text, put] of places) {
    const bytes = fromBase64Url(text)!
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = bytes.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))
      expect(await opens(JSON.stringify(put(record, toBase64Url(changed))), owned), `${name}, bit ${bit}`).toBe(false)
      count++
    }
  }
  process.stdout.write(`vault fuzz: ${count} single bits\n`)
}, 60_000)

test('a record that contains parts of a different vault is rejected, even if both vaults belong to the same owner', async () => {
  const first = await createVaultFixture(environment)
  const { record } = first.vault
  // Both vaults belong to the same user, and their device and passkey wrappers have the same IDs.
  const second = (await createVaultFixture(seededEnvironment(seed, fakeClock()), first.user)).vault.record
  const swaps: VaultRecord[] = [
    { ...record, vault: second.vault },
    { ...record, wrappers: second.wrappers },
    { ...record, wallet: second.wallet },
    { ...record, addresses: second.addresses },
    { ...record, addresses: { ...record.addresses, solana: second.addresses.solana } },
    { ...record, addresses: { ...record.addresses, cosmos: second.addresses.cosmos! } },
    { ...record, tag: second.tag },
    { ...record, createdAt: record.createdAt + 1 },
    { ...record, version: record.version + 1 },
    { ...record, wrappers: record.wrappers.slice(0, 2) },
    { ...record, wrappers: [...record.wrappers].reverse() },
    {
      ...record,
      wrappers: record.wrappers.map((wrapper, at) => (at === 1 ? { ...wrapper, name: 'Your phone' } : wrapper)),
    },
    { ...record, wrappers: [...record.wrappers, { ...record.wrappers[0]!, id: 'planted' }] },
  ]
  for (const [at, swapped] of swaps.entries()) {
    expect(await opens(JSON.stringify(swapped), first), `swap ${at}`).toBe(false)
  }
})

test('parseRecord() rejects any malformed record with a KeyError', async () => {
  const owned = await createVaultFixture(environment)
  const { record } = owned.vault
  const chance = seededRandom(seed)
  const rubbish: unknown[] = [
    null,
    0,
    -1,
    1.5,
    1e300,
    '',
    'x',
    '\u0000',
    [],
    {},
    true,
    'A'.repeat(70_000),
    { length: 1 },
  ]
  let [refused, count] = [0, 0]
  for (; count < 5_000; count++) {
    const copy = JSON.parse(serializeRecord(record)) as Record<string, unknown>
    const parents = [copy, copy.vault, copy.addresses, ...(copy.wrappers as object[])] as Record<string, unknown>[]
    const parent = chance.pick(parents)
    const name = chance.int(8) === 0 ? chance.word(1, 6) : chance.pick(Object.keys(parent))
    const before = JSON.stringify(parent[name])
    const value = chance.pick([...rubbish, undefined])
    if (value === undefined) delete parent[name]
    else parent[name] = value
    if (JSON.stringify(parent[name]) === before) continue
    const text = JSON.stringify(copy)
    try {
      const read = parseRecord(text)
      // A few changes leave the record well-formed (a changed time or name, a missing address), but make its tag invalid.
      if (count % 50 === 0) expect(await opens(serializeRecord(read), owned)).toBe(false)
    } catch (error) {
      expect(error).toBeInstanceOf(KeyError)
      refused++
    }
  }
  expect(refused).toBeGreaterThan(count * 0.8)
  process.stdout.write(`vault fuzz: ${count} garbled records, ${refused} refused by shape, seed ${seed}\n`)
}, 60_000)

test.each([
  ['an empty string', '', 'vault/malformed'],
  ['null', 'null', 'vault/malformed'],
  ['a format version below 1', '{"format":0}', 'vault/malformed'],
  ['a newer format version', '{"format":2}', 'vault/too-new'],
  ['a format version as a string', '{"format":"1"}', 'vault/malformed'],
  ['a string with too many characters', ' '.repeat(32_769), 'vault/too-large'],
  ['a string with too many bytes', 'ü'.repeat(20_000), 'vault/too-large'],
])('%s is rejected', (_, text, code) => {
  expect(() => parseRecord(text)).toThrow(expect.objectContaining({ code }))
})
