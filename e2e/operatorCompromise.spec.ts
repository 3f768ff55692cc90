import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, expect, type Page, test } from '@playwright/test'
import { hashMessage, parseEther, recoverAddress, stringToHex, toHex } from 'viem'
import { buildFrame } from '../packages/frame/build.mjs'
import type * as Eip155 from '../packages/vault/src/derivation/eip155.ts'
import type * as Keys from '../packages/vault/src/index.ts'
import type * as Opening from '../packages/vault/src/openVault.ts'
import type * as Kit from '../packages/vault/src/recoveryKit.ts'
import type * as Attacker from '../packages/vault/src/testing/attacker.ts'
import type * as Planted from '../packages/vault/src/testing/findKnownSecrets.ts'
import type * as Memory from '../packages/vault/src/testing/memoryVaultStore.ts'
import { requestWorld, type World } from './support/fixtures.ts'
import { approve, type FramePage, openFramePageAt, recoveryCode } from './support/framePage.ts'
import { loadSource } from './support/loadSource.ts'
import { type Captured, startTestServer, type TestServer } from './support/testServer.ts'

// A malicious operator can read all of a busy server's data: requests, responses, logs, emails, settings and stored data. The
// attack tries all of this data on every vault. It must not open any vault, but must find each of six planted leaks.

interface Secret {
  readonly name: string
  readonly bytes: Uint8Array
}

let server: TestServer
let folder: string
/** Attacks with a memory, so that each attack on largely the same data only attempts what is new. */
let attack: (captured: readonly Captured[]) => ReturnType<typeof Attacker.attack>
let leaksOf: typeof Planted.findLeaks
/** The captured data before and after the leaks are planted. */
let honest: readonly Captured[]
let leaky: readonly Captured[]
let heap: Captured
const secret = randomBytes(32)
let ada: { readonly address: string; readonly secrets: readonly Secret[] }
let bob: { readonly address: string; readonly secrets: readonly Secret[] }

const local = { chainId: 31337, chainNamespace: 'eip155' }
let world: World

test.beforeAll(async ({ browser }) => {
  test.setTimeout(180_000)
  world = await requestWorld()
  folder = await mkdtemp(join(tmpdir(), 'latchkey-evil-'))
  const attacker = (await loadSource('packages/vault/src/testing/attacker.ts')) as typeof Attacker
  const memory = attacker.createAttackMemory()
  attack = (captured) => attacker.attack(captured, memory)
  leaksOf = ((await loadSource('packages/vault/src/testing/findKnownSecrets.ts')) as typeof Planted).findLeaks
  const node = world.facts.chains[0].rpcUrls.default.http[0]
  server = await startTestServer({ dataFolder: join(folder, 'data'), rpcUrls: `eip155:31337=${node}` })
  await aBusyDay(browser, node)
  leaky = await server.captured()
})

test.afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

test('the data of a running server does not open any vault, so the operator cannot sign', async () => {
  test.setTimeout(60_000)
  // The captured data covers every kind of key, several devices, a signed message and a payment.
  const kinds = (await server.query('select record from vault_records')).flatMap(({ record }) =>
    (JSON.parse(String(record)) as { wrappers: { kind: string }[] }).wrappers.map(({ kind }) => kind),
  )
  expect(kinds.sort()).toEqual(['device', 'device', 'device', 'kit', 'passkey'])
  const { candidates, findings, records, tries, wallets } = await attack(honest)
  expect(findings).toEqual([])
  process.stdout.write(
    `\nmalicious operator: ${honest.length} captured items, ${records} records of ${wallets} wallets, ${candidates} candidates, ${tries} attempts, none successful\n`,
  )
  expect(wallets).toBe(2)
  expect(tries).toBeGreaterThan(20_000)
  // The captured data does not contain the known secrets in any encoding. As a control, the search does find a server half, which
  // the server stores.
  expect(leaksOf(honest, [...ada.secrets, ...bob.secrets])).toEqual([])
  const [{ server_half: serverHalf }] = (await server.query('select server_half from vault_devices')) as [
    { server_half: string },
  ]
  expect(leaksOf(honest, [{ name: 'half', bytes: Buffer.from(serverHalf, 'base64url') }])).toContain(
    'half in database vault_devices',
  )
})

for (const [what, where, found] of [
  ['the seed in a log', 'log', /seed/],
  ["an account's key in a column of the database", 'database vault_users', /private key/],
  ['the recovery code in an email', 'mail to bob@bakery.example', /kit/],
  ["a device's secret in a request", 'traffic POST /vault/email/code', /device/],
  ["a passkey's output in a header", 'traffic GET /vault/config', /passkey/],
  ["the vault's key in the audit trail", 'database vault_audit', /vault's key/],
] as const) {
  test(`a leak planted in the running server is found: ${what}`, async () => {
    const planted = leaky.filter((leak) => leak.where === where)
    const before = honest.filter((leak) => leak.where !== where)
    const { findings } = await attack([...before, ...planted])
    expect(findings.some((finding) => found.test(finding.what) && finding.where.includes(where))).toBe(true)
    expect(findings.every((finding) => finding.where.includes(where))).toBe(true)
  })
}

// This check is limited, because heap snapshots contain strings but not the bytes of buffers. The recovery code is excluded
// because the frame displayed it.
test('after signing out, the frame’s memory contains no secret as text', () => {
  const secrets = ada.secrets.filter(({ name }) => name !== 'recovery code' && name !== 'device secret')
  expect(secrets.map(({ name }) => name)).toEqual(['seed', 'entropy', 'account key', 'vault key'])
  expect(leaksOf([heap], secrets)).toEqual([])
  // As a control, the search does find a value that was kept in memory.
  expect(leaksOf([heap], [{ name: 'something kept', bytes: secret }])).toEqual([
    'something kept in the heap of the frame',
  ])
})

test('the server’s disk contains no user secrets, even in deleted rows', async () => {
  await server.stop()
  const disk = await server.disk()
  // Only the two secrets that were planted in the database are found.
  const found = leaksOf(disk, [...ada.secrets, ...bob.secrets]).map((leak) => leak.replace(/ in .*/, ''))
  expect([...new Set(found)].sort()).toEqual(['account key', 'vault key'])
})

test('with assisted custody, every screen says that the operator can sign, and the attacker can open the vaults', async ({
  browser,
}) => {
  test.setTimeout(180_000)
  const outDir = join(folder, 'frame')
  await buildFrame({ outDir, custody: 'assisted' })
  const assisted = await startTestServer({
    dataFolder: join(folder, 'assisted'),
    env: { CUSTODY: 'assisted', ESCROW_KEY: randomBytes(32).toString('base64url') },
  })
  // The published frame never creates a key for the operator, even if the server is configured for assisted custody.
  const plain = await openFramePageAt(await browser.newPage(), assisted)
  expect(await plain.page.evaluate(() => window.framePage.ready)).toMatchObject({ custody: 'self' })
  await plain.logIn('eve@bakery.example')
  assisted.serveFrame(outDir)
  const framePage = await openFramePageAt(await browser.newPage(), assisted)
  expect(await framePage.page.evaluate(() => window.framePage.ready)).toMatchObject({ custody: 'assisted' })
  const { payload: user } = await framePage.logIn('ada@bakery.example')
  const records = await assisted.query('select record from vault_records order by updated_at')
  expect(records.map(({ record }) => String(record).includes('"kind":"assisted"'))).toEqual([false, true])
  const notice = 'Assisted custody: the operator of this wallet could also sign for you.'
  for (const request of [
    { method: 'personal_sign', params: [stringToHex('Good day'), user.address], ...local },
    { method: 'eth_sendTransaction', params: [{ from: user.address, to: user.address, value: '0x1' }], ...local },
  ]) {
    await framePage.start('one', request)
    await expect(framePage.frame.getByText(notice)).toBeVisible()
    await framePage.frame.getByRole('button', { name: 'Cancel' }).click()
    await framePage.response('one')
  }

  await framePage.page.goto(`${assisted.keys}/wallet`)
  await expect(framePage.page.getByText(notice)).toBeVisible()

  // With assisted custody, a new device only needs access to the inbox.
  const elsewhere = await browser.newContext()
  const other = await openFramePageAt(await elsewhere.newPage(), assisted)
  assisted.pass(60_000)
  expect((await other.logIn('ada@bakery.example')).payload.address).toBe(user.address)
  const log = await assisted.query('select event from vault_share_log order by id')
  expect(log.map(({ event }) => event)).toEqual(['kept', 'recovered'])

  const captured = await assisted.captured()
  const opened = (await attack(captured)).findings
  expect(new Set(opened.map(({ address }) => address))).toEqual(new Set([user.address]))
  expect(opened.map(({ what }) => what)).toContain('two parts of the assisted key')
  // The database alone contains only one of the key's parts, which is encrypted.
  const stolen = captured.filter(({ where }) => where.startsWith('database'))
  expect((await attack(stolen)).findings).toEqual([])
  const keyed = await attack([...stolen, ...captured.filter(({ where }) => where === 'config')])
  expect(keyed.findings.map(({ what }) => what)).toEqual(['two parts of the assisted key'])
  await assisted.stop()
})

/** Creates a wallet with two devices and a kit for Ada, and one with a device and a passkey for Bob. Then plants the leaks. */
async function aBusyDay(browser: Browser, node: string): Promise<void> {
  const here = await browser.newContext()
  const framePage = await openFramePageAt(await here.newPage(), server)
  const { payload: user } = await framePage.logIn('ada@bakery.example')
  await rpc(node, 'anvil_setBalance', [user.address, toHex(parseEther('1'))])
  await framePage.start('sign', { method: 'personal_sign', params: [stringToHex('Good day'), user.address], ...local })
  const code = await addKit(framePage)
  await approve(framePage.frame, 'Sign')
  const { payload: signature } = await framePage.response('sign')
  expect(await recoverAddress({ hash: hashMessage('Good day'), signature })).toBe(user.address)
  await framePage.start('send', {
    method: 'eth_sendTransaction',
    params: [{ from: user.address, to: world.facts.accounts[1]?.address, value: '0x1' }],
    ...local,
  })
  await approve(framePage.frame, 'Approve')
  expect((await framePage.response('send')).payload).toMatch(/^0x[0-9a-f]{64}$/)

  const elsewhere = await browser.newContext()
  await openElsewhere(elsewhere, code, user.address)

  const third = await browser.newContext()
  const page = await third.newPage()
  await withAuthenticator(page)
  const bobs = await openFramePageAt(page, server)
  const { payload: other } = await bobs.logIn('bob@bakery.example')
  await bobs.start('sign', { method: 'personal_sign', params: [stringToHex('Bob'), other.address], ...local })
  await bobs.frame.getByRole('button', { name: 'Add a second key' }).click()
  await bobs.frame.getByRole('button', { name: /Passkey/ }).click()
  await bobs.frame.getByRole('button', { name: 'Done' }).click()
  await approve(bobs.frame, 'Sign')
  expect((await bobs.response('sign')).type).toBe('@w3m-frame/RPC_REQUEST_SUCCESS')
  honest = await server.captured()

  const prf = await passkeyOutput(page)
  const device = await deviceSecret(framePage.page)
  const inside = await insideOf(code, user.address)
  ada = { address: user.address, secrets: [...inside.secrets, { name: 'device secret', bytes: device }] }
  bob = { address: other.address, secrets: [{ name: 'passkey output', bytes: prf }] }

  server.log('debug', { seed: Buffer.from(inside.seed).toString('hex') })
  await server.query(`update vault_users set name = '${toHex(inside.accountKey)}' where email = 'ada@bakery.example'`)
  await server.send({ to: 'bob@bakery.example', subject: 'Your kit', text: `Keep it: ${code}`, html: '' })
  const frames = { ada: frameOf(framePage.page), bob: frameOf(page) }
  await frames.ada.evaluate(
    (debug) =>
      fetch('/vault/email/code', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ otp: '000000', debug }),
      }).then(() => undefined),
    Buffer.from(device).toString('base64'),
  )
  await frames.bob.evaluate(
    (debug) => fetch('/vault/config', { headers: { 'x-debug': debug } }).then(() => undefined),
    Buffer.from(prf).toString('base64url'),
  )
  await server.query(
    `insert into vault_audit (user_id, at, event, about) select id, 1, 'vault-changed', '${Buffer.from(inside.vaultKey).toString('base64')}' from vault_users limit 1`,
  )
  await framePage.request('SIGN_OUT')
  heap = { where: 'the heap of the frame', text: await heapOf(framePage.page) }
  for (const context of [here, elsewhere, third]) await context.close()
}

/** Takes a snapshot of the frame's heap after garbage collection. */
async function heapOf(page: Page): Promise<string> {
  const frame = frameOf(page)
  await frame.evaluate((text) => Object.assign(window, { storedText: text }), Buffer.from(secret).toString('hex'))
  // A frame in the same process as the page does not have its own DevTools session. The snapshot then covers both.
  const devtools = await page
    .context()
    .newCDPSession(frame)
    .catch(() => page.context().newCDPSession(page))
  const chunks: string[] = []
  devtools.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk))
  await devtools.send('HeapProfiler.enable')
  await devtools.send('HeapProfiler.collectGarbage')
  await devtools.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  return chunks.join('')
}

async function addKit(framePage: FramePage): Promise<string> {
  await framePage.frame.getByRole('button', { name: 'Add a second key' }).click()
  await framePage.frame.getByRole('button', { name: /Recovery kit/ }).click()
  const groups = await recoveryCode(framePage.frame)
  await framePage.frame.getByLabel(/Type the last group/).fill(groups.at(-1) ?? '')
  await framePage.frame.getByRole('button', { name: 'I have saved it' }).click()
  await framePage.frame.getByRole('button', { name: 'Done' }).click()
  return groups.join('-')
}

async function openElsewhere(context: BrowserContext, code: string, address: string): Promise<void> {
  const other = await openFramePageAt(await context.newPage(), server)
  server.pass(60_000)
  await other.request('CONNECT_EMAIL', { email: 'ada@bakery.example' })
  await other.request('CONNECT_OTP', { otp: server.codeFor('ada@bakery.example') })
  await other.begin('user', 'GET_USER', { chainId: 31337 })
  await other.frame.getByLabel('Recovery code').fill(code)
  await other.frame.getByRole('button', { name: 'Open', exact: true }).click()
  expect((await other.response('user')).payload.address).toBe(address)
}

async function withAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      hasPrf: true,
    },
  })
}

function frameOf(page: Page) {
  const frame = page.frames().find((candidate) => candidate.url().startsWith(server.keys))
  if (!frame) throw new Error('The frame was not found.')
  return frame
}

/** Requests the passkey's PRF output for the vault, as the frame does. */
async function passkeyOutput(page: Page): Promise<Uint8Array> {
  const bytes = await frameOf(page).evaluate(async () => {
    const first = new TextEncoder().encode('latchkey/v1/passkey')
    const credential = await navigator.credentials.get({
      publicKey: {
        challenge: new Uint8Array(32),
        userVerification: 'required',
        extensions: { prf: { eval: { first } } },
      },
    })
    const { prf } = (credential as PublicKeyCredential).getClientExtensionResults()
    return [...new Uint8Array(prf?.results?.first as ArrayBuffer)]
  })
  expect(bytes).toHaveLength(32)
  return Uint8Array.from(bytes)
}

/** Derives the wallet's device secret from the device's own key. The secret is one of two inputs that unlock the key wrapper. */
async function deviceSecret(page: Page): Promise<Uint8Array> {
  const [{ record }] = (await server.query(
    "select record from vault_records r join vault_users u on u.id = r.user_id where email = 'ada@bakery.example'",
  )) as [{ record: string }]
  const { wallet } = JSON.parse(record) as { wallet: string }
  const bytes = await frameOf(page).evaluate(async (wallet) => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('latchkey')
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
    const [{ key }] = await new Promise<[{ key: CryptoKey }]>((resolve, reject) => {
      const request = database.transaction('devices').objectStore('devices').getAll()
      request.onsuccess = () => resolve(request.result as [{ key: CryptoKey }])
      request.onerror = () => reject(request.error)
    })
    database.close()
    return [
      ...new Uint8Array(
        await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`latchkey/v1/device/${wallet}`)),
      ),
    ]
  }, wallet)
  return Uint8Array.from(bytes)
}

/** Opens the vault that contains `address` with its recovery code, and returns its secrets. */
async function insideOf(typed: string, address: string) {
  const { recoveryCodeUnlockKey, parseRecoveryCode } = (await loadSource(
    'packages/vault/src/recoveryKit.ts',
  )) as typeof Kit
  const { openVault } = (await loadSource('packages/vault/src/openVault.ts')) as typeof Opening
  const { parseRecord, systemEnvironment } = (await loadSource('packages/vault/src/index.ts')) as typeof Keys
  const { memoryVaultStore } = (await loadSource('packages/vault/src/testing/memoryVaultStore.ts')) as typeof Memory
  const { deriveEip155Key } = (await loadSource('packages/vault/src/derivation/eip155.ts')) as typeof Eip155
  const [row] = (await server.query('select user_id, record from vault_records')).filter(({ record }) =>
    String(record).includes(address),
  )
  const read = parseRecoveryCode(typed)
  if (!('code' in read)) throw new Error('The recovery code is invalid.')
  const environment = systemEnvironment()
  const vault = await openVault({
    user: String(row?.user_id),
    record: parseRecord(String(row?.record)),
    key: await recoveryCodeUnlockKey(environment, read.code),
    environment,
    store: memoryVaultStore(),
  })
  const found = await vault.withRootSecret((root) => ({
    seed: root.seed.slice(),
    entropy: root.entropy.slice(),
    accountKey: deriveEip155Key(root).slice(),
  }))
  const vaultKey = await vault.withVaultKey((key) => key.slice())
  vault.lock()
  const secrets: Secret[] = [
    { name: 'seed', bytes: found.seed },
    { name: 'entropy', bytes: found.entropy },
    { name: 'account key', bytes: found.accountKey },
    { name: 'vault key', bytes: vaultKey },
    { name: 'recovery code', bytes: read.code },
  ]
  return { ...found, vaultKey, secrets }
}

async function rpc(url: string, method: string, params: readonly unknown[]): Promise<void> {
  await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
}
