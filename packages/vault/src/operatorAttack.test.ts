import { toBase58, toBase64, toBase64Url, toHex } from '@latchkey/protocol/bytes'
import { fakeClock } from '@latchkey/protocol/testing'
import { HDKey } from '@scure/bip32'
import { expect, test } from 'vitest'
import { createAssistedUnlockKey, escrowAdditionalData } from './assistedCustody.ts'
import { createVault } from './createVault.ts'
import { deriveEip155Key } from './derivation/eip155.ts'
import { deriveSolanaKey } from './derivation/solana.ts'
import { formatRecoveryCode, recoveryCodeQrText, serializeRecoveryKitFile } from './recoveryKit.ts'
import { eip155Signer } from './signers/eip155.ts'
import { attack } from './testing/attacker.ts'
import type { Captured } from './testing/findCandidateSecrets.ts'
import { findLeaks } from './testing/findKnownSecrets.ts'
import { memoryVaultStore } from './testing/memoryVaultStore.ts'
import { seededEnvironment } from './testing/seededEnvironment.ts'
import { createVaultFixture, type VaultFixture } from './testing/vaultFixture.ts'
import { serializeRecord } from './vaultRecord.ts'
import { seal } from './webCrypto.ts'

const environment = seededEnvironment(31, fakeClock())
const random = (count: number) => toBase64Url(environment.random(count))

/** Returns all the data that an honest server has after a typical day of use. */
async function everything(fixture: VaultFixture): Promise<Captured[]> {
  const { vault, serverShare, user } = fixture
  const signature = await eip155Signer(vault).signMessage({ message: { raw: '0x00' } })
  const share = toBase64Url(serverShare)
  const record = serializeRecord(vault.record)
  const rows = {
    vault_records: [{ user_id: user, version: 3, record }],
    vault_devices: [{ id: 'device-1', user_id: user, half: share, token_hash: toHex(environment.random(32)) }],
    vault_sessions: [{ token: random(32), user_id: user }],
    passkeys: [{ credential: 'cGFzc2tleS0x', public_key: toBase64(environment.random(77)) }],
    transfers: [{ commitment: random(32), offer: random(65), reveal: random(97), sealed: random(60) }],
  }
  const exchange = [
    { path: '/vault/record', body: { userId: user, record, expectedVersion: 2 } },
    { path: '/vault/devices/device-1/half', answer: { serverShare: share } },
    { rpc: 'personal_sign', result: signature },
  ]
  return [
    { where: 'database', text: JSON.stringify(rows) },
    {
      where: 'database as SQL',
      text: `INSERT INTO vault_records VALUES ('${user}', 3, '${record.replaceAll("'", "''")}');`,
    },
    {
      where: 'environment',
      text: `AUTH_SECRET=${random(32)}\nDATABASE_URL=postgres://localhost/keys\nSMTP_PASSWORD=hunter2`,
    },
    { where: 'log', text: `info PUT /vault/record 200 12ms user=${user} address=${vault.record.addresses.eip155}` },
    { where: 'traffic', text: exchange.map((item) => JSON.stringify(item)).join('\n') },
    {
      where: 'backup',
      text: serializeRecoveryKitFile({ createdAt: 1, pageHash: 'ab'.repeat(32), record: vault.record }),
    },
  ]
}

test('an operator with the database, environment, logs and traffic cannot open the vault', async () => {
  const fixture = await createVaultFixture(environment)
  const captured = await everything(fixture)
  const { records, candidates, tries, findings } = await attack(captured)
  expect(findings).toEqual([])
  // Check that the attack actually ran: it found the record and tried many candidate secrets.
  expect(records).toBe(1)
  expect(candidates).toBeGreaterThan(12)
  expect(tries).toBeGreaterThan(200)
  process.stdout.write(`evil operator: ${tries} tries with ${candidates} candidates, none opens\n`)
  await fixture.vault.withRootSecret(async ({ entropy, seed }) => {
    const device = await fixture.device.derive(
      new TextEncoder().encode(`latchkey/v1/device/${fixture.vault.record.wallet}`),
    )
    const secrets = [
      { name: 'entropy', bytes: entropy },
      { name: 'seed', bytes: seed },
      { name: 'kit code', bytes: fixture.recoveryCode },
      { name: 'passkey output', bytes: fixture.prfOutput },
      { name: 'device secret', bytes: device },
    ]
    expect(findLeaks(captured, secrets)).toEqual([])
    // The search finds the server's share in the captured data, so it would also have found the other secrets.
    const shareLeaks = findLeaks(captured, [{ name: 'half', bytes: fixture.serverShare }])
    expect(shareLeaks).toEqual(['half in database', 'half in traffic'])
  })
}, 60_000)

test('in assisted mode, the same attacker can sign for the user', async () => {
  const store = memoryVaultStore()
  const { key, shares } = await createAssistedUnlockKey(environment)
  const vault = await createVault({ user: 'user-1', key, name: 'Assisted', environment, store })
  const serviceKey = environment.random(32)
  const escrow = await seal(environment, serviceKey, shares.escrow, escrowAdditionalData(vault.record))
  const captured = [
    { where: 'database', text: JSON.stringify({ record: store.savedText, share: toBase64Url(shares.server), escrow }) },
    { where: 'environment', text: `KEY_SERVICE_KEY=${toBase64(serviceKey)}` },
  ]
  const { findings } = await attack(captured)
  expect(findings).toMatchObject([
    {
      address: vault.record.addresses.eip155,
      what: 'two parts of the assisted key',
      where: expect.stringContaining('environment'),
    },
  ])
  expect((await attack(captured.slice(0, 1))).findings).toEqual([])
}, 60_000)

type Plant = (fixture: VaultFixture) => Promise<Captured>

const leaks: [string, Plant][] = [
  [
    'the recovery words in a log',
    async ({ vault }) => ({ where: 'log', text: `debug export ok: ${(await vault.mnemonic()).join(' ')} (24 words)` }),
  ],
  [
    'the seed in a log, as an array of numbers',
    ({ vault }) =>
      vault.withRootSecret(({ seed }) => ({ where: 'log', text: `seed=[${[...seed].join(', ')}] path=m/44'` })),
  ],
  [
    'the EVM account’s key in a database column, in hex',
    ({ vault }) =>
      vault.withRootSecret((root) => ({ where: 'database', text: `{"note":"${toHex(deriveEip155Key(root))}"}` })),
  ],
  [
    'the vault key in the database, in nested JSON',
    ({ vault }) =>
      vault.withVaultKey((key) => ({
        where: 'database',
        text: JSON.stringify({ row: JSON.stringify({ dek: toBase64(key) }) }),
      })),
  ],
  [
    'the recovery code in an email',
    async ({ recoveryCode }) => ({ where: 'mail', text: `Your code:\n\n  ${formatRecoveryCode(recoveryCode)}\n` }),
  ],
  [
    'a passkey’s PRF output in an environment variable',
    async ({ prfOutput }) => ({ where: 'env', text: `DEBUG_PRF=${toBase64Url(prfOutput)}` }),
  ],
  [
    'the device secret in a request, with the server’s share in the database',
    async ({ device, vault }) => {
      const info = new TextEncoder().encode(`latchkey/v1/device/${vault.record.wallet}`)
      return { where: 'traffic', text: `GET /pixel?d=${encodeURIComponent(toBase64(await device.derive(info)))}` }
    },
  ],
  [
    'the recovery code in the text of a scanned QR code',
    async ({ recoveryCode }) => ({ where: 'ocr', text: recoveryCodeQrText(recoveryCode) }),
  ],
  [
    'the Solana key in base58, as wallets export it',
    ({ vault }) =>
      vault.withRootSecret((root) => ({
        where: 'clipboard',
        text: toBase58(new Uint8Array([...deriveSolanaKey(root), ...new Uint8Array(32)])),
      })),
  ],
  [
    'an extended private key',
    ({ vault }) =>
      vault.withRootSecret(({ seed }) => ({
        where: 'log',
        text: HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'").privateExtendedKey,
      })),
  ],
  [
    'the entropy as a serialized Buffer',
    ({ vault }) =>
      vault.withRootSecret(({ entropy }) => ({ where: 'crash', text: `{"type":"Buffer","data":[${[...entropy]}]}` })),
  ],
]

test.each(leaks)(
  'the attack finds a planted leak: %s',
  async (_, plant) => {
    const fixture = await createVaultFixture(environment)
    const planted = await plant(fixture)
    const { findings } = await attack([...(await everything(fixture)), planted])
    expect(findings.map(({ address }) => address)).toContain(fixture.vault.record.addresses.eip155)
    expect(findings.some(({ where }) => where.includes(planted.where))).toBe(true)
  },
  60_000,
)

test('findLeaks() finds a known secret in every encoding', async () => {
  const bytes = environment.random(32)
  const inside = new Uint8Array([1, ...bytes, 2])
  for (const text of [
    toHex(bytes),
    toBase64(bytes),
    toBase64Url(bytes),
    toBase64(inside),
    toBase64(new Uint8Array([1, 2, ...bytes])),
    toBase58(bytes),
    [...bytes].join(', '),
  ]) {
    const captured = [{ where: 'log', text: `x${text}y` }]
    expect(findLeaks(captured, [{ name: 'seed', bytes }]), text).toEqual(['seed in log'])
  }
}, 60_000)
