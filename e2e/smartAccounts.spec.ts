import { createHash } from 'node:crypto'
import { callThroughProxy, eip155Verifier, personalHash, signedByContract } from '@latchkey/siwx/verify/eip155'
import { verifyErc6492 } from '@latchkey/siwx/verify/erc6492'
import type { Page } from '@playwright/test'
import {
  createPublicClient,
  createTestClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  parseEther,
  stringToHex,
  toHex,
} from 'viem'
import { expect, test, type World } from './support/fixtures.ts'
import { approve, codeFor, type FramePage, openFramePage, openFramePageAt } from './support/framePage.ts'

const local = { chainId: 31337, chainNamespace: 'eip155' }
const dead = '0x000000000000000000000000000000000000dEaD'

// biome-ignore lint/correctness/noEmptyPattern: Playwright requires the destructuring pattern
test.use({ allowedConsole: async ({}, use) => use([/status of (401|422)/, /Unrecognized feature: 'bluetooth'/]) })
// Allow extra time, because the first request starts the bundler and downloads it if necessary.
test.setTimeout(180_000)

const someone = (name: string): string =>
  `${name}-${createHash('sha256')
    .update(name + Date.now())
    .digest('hex')
    .slice(0, 8)}@bakery.example`

const readerOf = ({ facts }: World) =>
  createPublicClient({ chain: facts.chains[0], transport: http(), pollingInterval: 50 })

async function fund({ facts }: World, address: Hex): Promise<void> {
  const hand = createTestClient({ mode: 'anvil', chain: facts.chains[0], transport: http() })
  await hand.setBalance({ address, value: parseEther('1') })
}

/** Logs in a new user with a contract account. If `isSponsored` is set, uses a page whose fees the operator pays. */
async function newcomer(
  page: Page,
  world: World,
  { name, isSponsored = false }: { name: string; isSponsored?: boolean },
): Promise<{ framePage: FramePage; contract: Hex; key: Hex }> {
  const other = {
    pages: `http://other.demo.localhost:${world.port}`,
    codeFor: (email: string) => codeFor(world, email),
  }
  const framePage = await (isSponsored ? openFramePageAt(page, other) : openFramePage(page, world))
  const { payload: user } = await framePage.logIn(someone(name))
  const { payload } = await framePage.request('SET_PREFERRED_ACCOUNT', { type: 'smartAccount' })
  return { framePage, contract: payload.address, key: user.address }
}

test('a contract account is listed, is deployed with its first transaction, and pays its own fees [R9.8]', async ({
  page,
  world,
}) => {
  const { framePage, contract, key } = await newcomer(page, world, { name: 'ada' })
  expect((await framePage.request('GET_SMART_ACCOUNT_ENABLED_NETWORKS')).payload).toEqual({
    smartAccountEnabledNetworks: [31337],
  })
  expect(contract).not.toBe(key)
  expect((await framePage.request('INIT_SMART_ACCOUNT')).payload).toEqual({ address: contract, isDeployed: false })
  const params = { chainId: 31337, preferredAccountType: 'smartAccount' }
  expect((await framePage.request('GET_USER', params)).payload).toMatchObject({
    address: contract,
    accounts: [
      { type: 'smartAccount', address: contract },
      { type: 'eoa', address: key },
    ],
    preferredAccountType: 'smartAccount',
    smartAccountDeployed: false,
  })

  const send = { method: 'eth_sendTransaction', params: [{ to: dead, value: toHex(5n) }], ...local }
  await framePage.start('poor', send)
  await expect(framePage.frame.getByText('Not enough ETH for the amount and the fee.')).toBeVisible({ timeout: 90_000 })
  await framePage.frame.getByRole('button', { name: 'Cancel' }).click()
  await framePage.response('poor')

  await fund(world, contract)
  await framePage.start('send', send)
  await expect(framePage.frame.getByText('A contract owned by your key')).toBeVisible()
  await expect(framePage.frame.getByText('This is the first use of your smart account')).toBeVisible({
    timeout: 90_000,
  })
  await expect(framePage.frame.getByText('Fee paid by')).toBeHidden()
  await approve(framePage.frame, 'Approve')
  const { payload: hash } = await framePage.response('send')
  const reader = readerOf(world)
  expect(await reader.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
  expect(await reader.getCode({ address: contract })).toMatch(/^0x[0-9a-f]{100}/)
  expect(await reader.getBalance({ address: contract })).toBeLessThan(parseEther('1') - 5n)
  expect((await framePage.request('GET_USER', params)).payload).toMatchObject({ smartAccountDeployed: true })
})

test('the operator pays the fees on a sponsored page', async ({ page, world }) => {
  const { framePage, contract } = await newcomer(page, world, { name: 'bea', isSponsored: true })
  await framePage.start('send', { method: 'eth_sendTransaction', params: [{ to: dead, data: '0x1234' }], ...local })
  await expect(framePage.frame.getByText('Fee paid by')).toBeVisible({ timeout: 90_000 })
  await expect(framePage.frame.getByText('This wallet', { exact: true })).toBeVisible()
  await approve(framePage.frame, 'Approve')
  const reader = readerOf(world)
  expect(await reader.getTransactionReceipt({ hash: (await framePage.response('send')).payload })).toMatchObject({
    status: 'success',
  })
  expect(await reader.getBalance({ address: contract })).toBe(0n)
})

test('a contract account executes a batch atomically, and the page’s paymaster pays the fees', async ({
  page,
  world,
}) => {
  const { framePage, contract } = await newcomer(page, world, { name: 'cleo' })
  const token = world.facts.token.address
  const give = (amount: bigint) => ({
    to: token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [dead, amount] }),
  })
  const batch = (url: string) => ({
    method: 'wallet_sendCalls',
    params: [
      {
        version: '2.0.0',
        atomicRequired: true,
        calls: [give(5n), give(7n)],
        capabilities: { paymasterService: { url } },
      },
    ],
    ...local,
  })
  await framePage.start('strange', batch('https://paymaster.example/rpc'))
  await expect(framePage.frame.getByText('The page requested a paymaster that is not allowed')).toBeVisible()
  await framePage.frame.getByRole('button', { name: 'Cancel' }).click()
  await framePage.response('strange')

  await framePage.start('both', batch(world.facts.paymaster))
  await expect(framePage.frame.getByText(`pages.demo.localhost:${world.port}`, { exact: true })).toBeVisible({
    timeout: 90_000,
  })
  await approve(framePage.frame, 'Approve')
  const { id } = (await framePage.response('both')).payload
  const status = () => framePage.request('RPC_REQUEST', { method: 'wallet_getCallsStatus', params: [id], ...local })
  await expect.poll(async () => (await status()).payload.status, { timeout: 20_000 }).toBe(200)
  const { payload: done } = await status()
  expect(done).toMatchObject({ version: '2.0.0', id, chainId: '0x7a69', atomic: true })
  expect(done.receipts).toHaveLength(1)
  expect(done.receipts[0]).toMatchObject({ status: '0x1', transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) })

  const allowance = { abi: erc20Abi, address: token, functionName: 'allowance', args: [contract, dead] } as const
  expect(await readerOf(world).readContract(allowance)).toBe(7n)

  // The ID is the hash of the user operation, so the ID is still valid after a reload.
  const again = await openFramePage(page, world)
  const request = { method: 'wallet_getCallsStatus', params: [id], ...local }
  await again.request('GET_USER', { chainId: 31337 })
  expect((await again.request('RPC_REQUEST', request)).payload).toMatchObject({ status: 200, atomic: true })
})

test('capabilities depend on the account and network, and a request that requires an unknown capability is rejected', async ({
  page,
  world,
}) => {
  const { framePage, contract, key } = await newcomer(page, world, { name: 'dora' })
  const of = async (address: Hex) =>
    (await framePage.request('RPC_REQUEST', { method: 'wallet_getCapabilities', params: [address], ...local })).payload
  expect(await of(contract)).toMatchObject({
    '0x7a69': { atomic: { status: 'supported' }, paymasterService: { supported: true } },
    '0x7a6a': { atomic: { status: 'unsupported' } },
  })
  expect(await of(key)).toMatchObject({ '0x7a69': { atomic: { status: 'ready' } } })
  const only = { method: 'wallet_getCapabilities', params: [contract, ['0x7a6a']], ...local }
  expect(Object.keys((await framePage.request('RPC_REQUEST', only)).payload)).toEqual(['0x7a6a'])

  const needs = (capabilities: object) => ({
    method: 'wallet_sendCalls',
    params: [{ version: '2.0.0', calls: [{ to: dead }, { to: dead }], capabilities }],
    ...local,
  })
  expect((await framePage.request('RPC_REQUEST', needs({ teleport: {} }))).payload.message).toContain('teleport')
})

test('the account is the EOA if the network has no bundler [R4.19] [R4.20]', async ({ page, world }) => {
  const { framePage, key } = await newcomer(page, world, { name: 'eva' })
  const params = { chainId: 31338, preferredAccountType: 'smartAccount' }
  expect((await framePage.request('GET_USER', params)).payload).toMatchObject({
    address: key,
    accounts: [{ type: 'eoa', address: key }],
    preferredAccountType: 'eoa',
    smartAccountDeployed: false,
  })
  // The preference is stored and applies to networks with a bundler.
  expect(await framePage.request('SET_PREFERRED_ACCOUNT', { type: 'smartAccount' })).toMatchObject({
    type: '@w3m-frame/SET_PREFERRED_ACCOUNT_SUCCESS',
    payload: { type: 'eoa', address: key },
  })
  expect((await framePage.request('GET_USER', { chainId: 31337 })).payload).toMatchObject({
    preferredAccountType: 'smartAccount',
  })
})

test('a client that only sends specified messages logs in, signs, reloads, signs again and signs out [R4.4] [R4.19]', async ({
  page,
  world,
}) => {
  test.setTimeout(180_000)
  const open = () =>
    openFramePageAt(page, {
      pages: `http://pages.demo.localhost:${world.port}`,
      chain: 'eip155:1',
      codeFor: (email) => codeFor(world, email),
    })
  const framePage = await open()
  const email = someone('plain')
  // Set the account type before the user is signed in and before a network is set.
  await framePage.request('SET_PREFERRED_ACCOUNT', { type: 'smartAccount' })
  await framePage.request('CONNECT_EMAIL', { email })
  expect((await framePage.request('CONNECT_OTP', { otp: await codeFor(world, email) })).type).toMatch(/_SUCCESS$/)
  const first = await framePage.request('SET_PREFERRED_ACCOUNT', { type: 'smartAccount' })
  expect(first.type).toBe('@w3m-frame/SET_PREFERRED_ACCOUNT_SUCCESS')
  await framePage.request('SWITCH_NETWORK', { chainId: 31337 })
  const { payload: user } = await framePage.request('GET_USER')
  expect(user).toMatchObject({ preferredAccountType: 'smartAccount', chainId: 31337 })

  // The first request to the bundler deploys the account contracts of this environment.
  await framePage.request('INIT_SMART_ACCOUNT')
  const sign = async (now: FramePage, key: string): Promise<void> => {
    const message = `Good morning, ${key}`
    await now.start(key, { method: 'personal_sign', params: [stringToHex(message), user.address] })
    await approve(now.frame, 'Sign')
    const { type, payload } = await now.response(key)
    expect(type).toBe('@w3m-frame/RPC_REQUEST_SUCCESS')
    const signature = payload as Hex
    expect(await readerOf(world).verifyMessage({ address: user.address, message, signature })).toBe(true)
  }
  await sign(framePage, 'first')

  const again = await open()
  expect((await again.request('IS_CONNECTED')).payload).toEqual({ isConnected: true })
  expect(await again.request('SET_PREFERRED_ACCOUNT', { type: 'smartAccount' })).toMatchObject({
    type: '@w3m-frame/SET_PREFERRED_ACCOUNT_SUCCESS',
    payload: { type: 'smartAccount', address: user.address },
  })
  expect((await again.request('GET_USER')).payload).toMatchObject({ address: user.address, chainId: 31337 })
  await sign(again, 'second')

  await again.request('SIGN_OUT')
  expect((await again.request('IS_CONNECTED')).payload).toEqual({ isConnected: false })
})

test('a contract account’s signatures are valid on chain, both before and after its deployment [R5.17, R7.9]', async ({
  page,
  world,
}) => {
  const { framePage, contract } = await newcomer(page, world, { name: 'fay', isSponsored: true })
  const reader = readerOf(world)
  const message = 'Good morning, Bakery!'
  const typed = {
    domain: { name: 'Bakery', version: '1', chainId: 31337 },
    primaryType: 'Order',
    types: { Order: [{ name: 'loaf', type: 'string' }] },
    message: { loaf: 'rye' },
  } as const
  const domainType = [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
  ]
  const data = { ...typed, types: { ...typed.types, EIP712Domain: domainType } }
  const sign = async (key: string, method: string, params: unknown): Promise<Hex> => {
    await framePage.start(key, { method, params, ...local })
    await expect(framePage.frame.getByText('A contract owned by your key')).toBeVisible()
    await approve(framePage.frame, 'Sign')
    return (await framePage.response(key)).payload
  }
  const both = async (when: string) => ({
    message: await sign(`message ${when}`, 'personal_sign', [stringToHex(message), contract]),
    typed: await sign(`typed ${when}`, 'eth_signTypedData_v4', [contract, JSON.stringify(data)]),
  })
  const holds = async (signed: { message: Hex; typed: Hex }) => [
    await reader.verifyMessage({ address: contract, message, signature: signed.message }),
    await reader.verifyTypedData({ address: contract, ...typed, signature: signed.typed }),
    await reader.verifyMessage({ address: contract, message: 'Another', signature: signed.message }),
  ]
  // The first request to the bundler deploys the account contracts of this environment.
  await framePage.request('INIT_SMART_ACCOUNT')
  const before = await both('before')
  expect(before.message).toMatch(/6492$/)
  expect(await holds(before)).toEqual([true, true, false])

  // The signatures are also valid through the server's RPC proxy, as used to verify sign-ins.
  const call = callThroughProxy({ base: `http://127.0.0.1:${world.port}/v1`, projectId: 'bakery' })
  const verify = eip155Verifier({ call, undeployed: verifyErc6492 })
  const signedIn = (signature: Hex, text = message) =>
    verify({ account: `eip155:31337:${contract}`, message: text, signature })
  expect([await signedIn(before.message), await signedIn(before.message, 'Another')]).toEqual([true, false])

  await framePage.start('use', { method: 'eth_sendTransaction', params: [{ to: dead, data: '0x' }], ...local })
  await approve(framePage.frame, 'Approve')
  await framePage.response('use')
  const after = await both('after')
  expect(after.message).toHaveLength(132)
  expect(await holds(after)).toEqual([true, true, false])

  expect([await signedIn(after.message), await signedIn(after.message, 'Another')]).toEqual([true, false])
  expect(await signedIn(before.message)).toBe(true)
  // A page without a chain library can also verify the signatures.
  const isOf = (params: { text?: string; chain?: string; signature?: Hex }) =>
    signedByContract({
      chain: params.chain ?? 'eip155:31337',
      address: contract,
      hash: personalHash(params.text ?? message),
      signature: params.signature ?? after.message,
      call,
    })
  expect(await isOf({})).toBe(true)
  expect(await isOf({ text: 'Another' })).toBe(false)
  expect(await isOf({ signature: after.typed })).toBe(false)
  expect(await isOf({ chain: 'eip155:31338' })).toBe(false)
})

test('an EOA executes a batch atomically through delegated code (EIP-7702), and the page pays the fees', async ({
  page,
  world,
}) => {
  const framePage = await openFramePage(page, world)
  const { payload: user } = await framePage.logIn(someone('gil'))
  const reader = readerOf(world)
  const batch = {
    method: 'wallet_sendCalls',
    params: [
      {
        version: '2.0.0',
        from: user.address,
        atomicRequired: true,
        calls: [
          { to: dead, data: '0x01' },
          { to: dead, data: '0x02' },
        ],
        capabilities: { paymasterService: { url: world.facts.paymaster } },
      },
    ],
    ...local,
  }
  for (const time of ['first', 'second']) {
    await framePage.start(time, batch)
    const begins = framePage.frame.getByText('Your account becomes a smart account')
    await expect(framePage.frame.getByText('Fee paid by')).toBeVisible({ timeout: 90_000 })
    await expect(begins).toBeVisible({ visible: time === 'first' })
    await approve(framePage.frame, 'Approve')
    const { id } = (await framePage.response(time)).payload
    const request = { method: 'wallet_getCallsStatus', params: [id], ...local }
    await expect
      .poll(async () => (await framePage.request('RPC_REQUEST', request)).payload.status, { timeout: 20_000 })
      .toBe(200)
    expect(await reader.getCode({ address: user.address })).toBe('0xef0100e6cae83bde06e4c305530e199d7217f42808555b')
  }
  expect(await reader.getBalance({ address: user.address })).toBe(0n)
  const request = { method: 'wallet_getCapabilities', params: [user.address], ...local }
  expect((await framePage.request('RPC_REQUEST', request)).payload).toMatchObject({
    '0x7a69': { atomic: { status: 'supported' } },
  })
  await framePage.start('sign', { method: 'personal_sign', params: [stringToHex('hello'), user.address], ...local })
  await approve(framePage.frame, 'Sign')
  const { payload: signature } = await framePage.response('sign')
  expect(await reader.verifyMessage({ address: user.address, message: 'hello', signature })).toBe(true)
})

test('a demo user switches to a contract account in the settings, and the wallet’s operator pays the fee [R4.20]', async ({
  page,
  world,
}) => {
  const email = someone('hana')
  await page.goto(world.facts.demo)
  await page.getByRole('button', { name: 'Add Country sourdough' }).click()
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: /mail/i }).fill(email)
  await page.keyboard.press('Enter')
  await expect(dialog.getByText(email)).toBeVisible()
  await page.keyboard.type(await codeFor(world, email))
  const account = page.getByRole('button', { name: /^Account 0x/ })
  await expect(account).toBeVisible({ timeout: 20_000 })
  const shown = async () => (await account.getAttribute('aria-label'))?.match(/0x\S+?…\w+/)?.[0] ?? 'no address'
  const simple = await shown()

  await account.click()
  await dialog.getByRole('button', { name: 'Settings' }).click()
  await dialog.getByRole('button', { name: /^Smart/ }).click()
  await expect.poll(shown).not.toBe(simple)
  const smart = await shown()
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: /^Basket/ }).click()
  await page.getByRole('button', { name: 'Get test money' }).click()
  await expect(page.getByRole('button', { name: 'Get test money' })).toBeHidden()
  await page.getByRole('button', { name: 'Pay 6.80 TUSD' }).click()
  const frame = page.frameLocator('iframe')
  await expect(frame.getByText('This wallet', { exact: true })).toBeVisible({ timeout: 90_000 })
  await approve(frame, 'Approve')
  await expect(page.getByText('6.80 TUSD reached the bakery.')).toBeVisible({ timeout: 30_000 })

  await page.reload()
  await expect(account).toBeVisible({ timeout: 20_000 })
  expect(await shown()).toBe(smart)
})
