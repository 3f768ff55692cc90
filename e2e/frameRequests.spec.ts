import { createHash, webcrypto } from 'node:crypto'
import { base58 } from '@scure/base'
import {
  createPublicClient,
  hashMessage,
  http,
  parseEther,
  recoverAddress,
  recoverTypedDataAddress,
  stringToHex,
  toHex,
} from 'viem'
import { expect, test } from './support/fixtures.ts'
import { approve, codeFor, openFramePage, recoveryCode } from './support/framePage.ts'
import { unlimitedPermit } from './support/unlimitedPermit.ts'

const local = { chainId: 31337, chainNamespace: 'eip155' }
const solana = { chainId: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', chainNamespace: 'solana' }
const solanaChain = `solana:${solana.chainId}`

/** Returns an email address that no other test uses. */
const someone = (name: string): string =>
  `${name}-${createHash('sha256')
    .update(name + Date.now())
    .digest('hex')
    .slice(0, 8)}@bakery.example`

// The browser logs a 401 response when the user is not signed in.
// biome-ignore lint/correctness/noEmptyPattern: Playwright requires the destructuring pattern
test.use({ allowedConsole: async ({}, use) => use([/status of (401|422)/, /Unrecognized feature: 'bluetooth'/]) })

test('a page without our SDK receives READY and can request whether a user is signed in [R7.1]', async ({
  page,
  world,
}) => {
  const framePage = await openFramePage(page, world)
  expect(await page.evaluate(() => window.framePage.ready)).toEqual({
    version: '4',
    capabilities: ['port', 'wallet', 'passkey'],
    custody: 'self',
    socials: ['google', 'apple', 'github', 'facebook', 'x', 'discord', 'farcaster'],
  })
  expect(await framePage.request('IS_CONNECTED')).toMatchObject({ payload: { isConnected: false } })
  expect(await framePage.request('GET_CHAIN_ID')).toMatchObject({ payload: { chainId: 31337 } })
  expect(await framePage.request('GET_USER')).toMatchObject({
    type: '@w3m-frame/GET_USER_ERROR',
    payload: { message: 'Not signed in' },
  })
})

test('an email login creates a vault, and the accounts are the same after a reload [R4.2] [R4.4]', async ({
  page,
  world,
}) => {
  const framePage = await openFramePage(page, world)
  const email = someone('ada')
  expect(await framePage.request('CONNECT_EMAIL', { email })).toMatchObject({ payload: { action: 'VERIFY_OTP' } })
  const otp = await codeFor(world, email)
  const wrong = otp === '111111' ? '222222' : '111111'
  expect(await framePage.request('CONNECT_OTP', { otp: wrong })).toMatchObject({ payload: { message: 'Invalid code' } })
  expect(await framePage.request('CONNECT_OTP', { otp })).toMatchObject({ type: '@w3m-frame/CONNECT_OTP_SUCCESS' })
  const { payload: user } = await framePage.request('GET_USER', { chainId: 'eip155:31337' })
  expect(user).toMatchObject({ chainId: 31337, email, preferredAccountType: 'eoa' })
  expect(user.accounts[0]).toEqual({ address: user.address, type: 'eoa' })
  const { payload: onSolana } = await framePage.request('GET_USER', { chainId: solanaChain })
  expect([onSolana.chainId, base58.decode(onSolana.address).length]).toEqual([solanaChain, 32])

  const again = await openFramePage(page, world)
  expect(await again.request('IS_CONNECTED')).toMatchObject({ payload: { isConnected: true } })
  expect((await again.request('GET_USER', { chainId: 'eip155:31337' })).payload).toEqual(user)
  expect(await again.request('SIGN_OUT')).toMatchObject({ type: '@w3m-frame/SIGN_OUT_SUCCESS' })
  expect(await again.request('IS_CONNECTED')).toMatchObject({ payload: { isConnected: false } })
})

test('a message is shown with the page’s origin, signed if the user approves, and rejected if they cancel [R6.4]', async ({
  page,
  world,
}) => {
  const framePage = await openFramePage(page, world)
  const { payload: user } = await framePage.logIn(someone('bob'))
  const message = 'Good morning, Bakery!'
  await framePage.start('yes', { method: 'personal_sign', params: [stringToHex(message), user.address], ...local })
  await expect(framePage.frame.getByText(`http://pages.demo.localhost:${world.port}`)).toBeVisible()
  await expect(framePage.frame.getByText('requests a signature')).toBeVisible()
  await expect(framePage.frame.locator('.textContent')).toHaveText(message)
  await approve(framePage.frame, 'Sign')
  const { payload: signature } = await framePage.response('yes')
  expect(await recoverAddress({ hash: hashMessage(message), signature })).toBe(user.address)

  await framePage.start('no', { method: 'personal_sign', params: [stringToHex(message), user.address], ...local })
  await framePage.frame.getByRole('button', { name: 'Cancel' }).click()
  expect(await framePage.response('no')).toMatchObject({ payload: { message: 'User rejected the request.' } })
  await expect(framePage.frame.getByRole('heading')).toHaveCount(0)
})

test('a sign-in message for a different site shows a warning and no button to sign it', async ({ page, world }) => {
  const framePage = await openFramePage(page, world)
  const { payload: user } = await framePage.logIn(someone('cleo'))
  const text = `evil.example wants you to sign in with your Ethereum account:\n${user.address}\n\n\nURI: https://evil.example\nVersion: 1\nChain ID: 1\nNonce: abcdefgh1\nIssued At: 2026-11-20T17:00:00.000Z`
  await framePage.start('bad', { method: 'personal_sign', params: [stringToHex(text), user.address], ...local })
  await expect(framePage.frame.getByRole('alert')).toContainText('evil.example')
  await expect(framePage.frame.getByRole('button', { name: 'Sign' })).toHaveCount(0)
  await framePage.frame.getByRole('button', { name: 'Close' }).click()
  expect(await framePage.response('bad')).toMatchObject({ type: '@w3m-frame/RPC_REQUEST_ERROR' })
})

test('typed data is signed as shown, and a permit is shown as unlimited', async ({ page, world }) => {
  const framePage = await openFramePage(page, world)
  const { payload: user } = await framePage.logIn(someone('dan'))
  const data = unlimitedPermit({
    token: world.facts.token.address,
    owner: user.address,
    spender: world.facts.accounts[1]?.address,
  })
  await framePage.start('permit', {
    method: 'eth_signTypedData_v4',
    params: [user.address, JSON.stringify(data)],
    ...local,
  })
  await expect(framePage.frame.getByRole('heading', { name: 'Allow spending' })).toBeVisible()
  await expect(framePage.frame.getByText('No limit: everything you have of this token')).toBeVisible()
  await approve(framePage.frame, 'Sign')
  const { payload: signature } = await framePage.response('permit')
  expect(await recoverTypedDataAddress({ ...data, signature } as never)).toBe(user.address)
})

test('the frame shows a transaction’s recipient and what leaves the account, then sends the transaction', async ({
  page,
  world,
}) => {
  const framePage = await openFramePage(page, world)
  const { payload: user } = await framePage.logIn(someone('eve'))
  const [chain] = world.facts.chains
  const node = createPublicClient({ transport: http(chain.rpcUrls.default.http[0]) })
  await node.request({ method: 'anvil_setBalance', params: [user.address, toHex(parseEther('1'))] } as never)
  const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  await framePage.start('send', {
    method: 'eth_sendTransaction',
    params: [{ from: user.address, to, value: toHex(parseEther('0.25')) }],
    ...local,
  })
  await expect(framePage.frame.getByRole('heading', { name: 'Send' })).toBeVisible()
  // The full address is shown in groups of four characters.
  await expect(framePage.frame.getByText('79C8', { exact: true })).toBeVisible()
  await expect(framePage.frame.getByText(/^You send 0\.25/)).toBeVisible()
  await expect(framePage.frame.getByRole('term').filter({ hasText: 'Leaves your account' })).toBeVisible()
  await approve(framePage.frame, 'Approve')
  const { payload: hash } = await framePage.response('send')
  const receipt = await node.waitForTransactionReceipt({ hash })
  expect(receipt.status).toBe('success')
  expect(await node.getTransaction({ hash })).toMatchObject({
    from: user.address.toLowerCase(),
    value: parseEther('0.25'),
  })
})

test('several calls are approved together, and their status can be requested', async ({ page, world }) => {
  const framePage = await openFramePage(page, world)
  const { payload: user } = await framePage.logIn(someone('fay'))
  const node = createPublicClient({ transport: http(world.facts.chains[0].rpcUrls.default.http[0]) })
  await node.request({ method: 'anvil_setBalance', params: [user.address, toHex(parseEther('1'))] } as never)
  const call = { to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', value: '0x1' }
  const params = [{ version: '2.0.0', chainId: '0x7a69', from: user.address, calls: [call, call] }]
  await framePage.start('calls', { method: 'wallet_sendCalls', params, ...local })
  await expect(framePage.frame.getByText('requests multiple transactions')).toBeVisible()
  await approve(framePage.frame, 'Approve')
  const { payload } = await framePage.response('calls')
  await expect
    .poll(async () => {
      const request = { method: 'wallet_getCallsStatus', params: [payload.id], ...local }
      const { status, receipts } = (await framePage.request('RPC_REQUEST', request)).payload
      return [status, receipts.length]
    })
    .toEqual([200, 2])
})

test('the account from the login signs a Solana message [R6.4]', async ({ page, world }) => {
  const framePage = await openFramePage(page, world)
  await framePage.logIn(someone('gus'))
  const { payload: user } = await framePage.request('GET_USER', { chainId: solanaChain })
  const message = new TextEncoder().encode('Hello, Solana')
  const params = { message: base58.encode(message), pubkey: user.address }
  await framePage.start('solana', { method: 'solana_signMessage', params, ...solana })
  await expect(framePage.frame.getByText('Solana Mainnet')).toBeVisible()
  await approve(framePage.frame, 'Sign')
  const { payload } = await framePage.response('solana')
  const key = await webcrypto.subtle.importKey('raw', base58.decode(user.address), 'Ed25519', false, ['verify'])
  expect(await webcrypto.subtle.verify('Ed25519', key, base58.decode(payload.signature), message)).toBe(true)
})

test('every request works over a port, after which window messages are ignored', async ({ page, world }) => {
  const framePage = await openFramePage(page, world)
  await page.evaluate(() => window.framePage.takePort())
  const { payload: user } = await framePage.logIn(someone('hal'))
  await framePage.start('sign', { method: 'personal_sign', params: [stringToHex('by port'), user.address], ...local })
  await approve(framePage.frame, 'Sign')
  expect(
    await recoverAddress({ hash: hashMessage('by port'), signature: (await framePage.response('sign')).payload }),
  ).toBe(user.address)
  const before = await page.evaluate(() => window.framePage.log.length)
  await page.evaluate(() => {
    const frame = document.querySelector('iframe')
    frame?.contentWindow?.postMessage({ type: '@w3m-app/IS_CONNECTED', id: 'window' }, new URL(frame.src).origin)
  })
  await framePage.request('GET_CHAIN_ID')
  expect(await page.evaluate(() => window.framePage.log.length)).toBe(before + 1)
})

test('every aborted request is answered with an error, and the frame still works after a reload [R4.15]', async ({
  page,
  world,
}) => {
  const framePage = await openFramePage(page, world)
  const { payload: user } = await framePage.logIn(someone('ida'))
  const request = { method: 'personal_sign', params: [stringToHex('never'), user.address], ...local }
  await framePage.start('one', request, 'id-one')
  await framePage.start('two', request, 'id-two')
  await expect(framePage.frame.getByText('1 more waiting')).toBeVisible()
  await framePage.request('RPC_ABORT')
  for (const key of ['one', 'two'])
    expect(await framePage.response(key)).toMatchObject({ payload: { message: 'Request was aborted' } })
  await expect(framePage.frame.getByRole('heading')).toHaveCount(0)

  expect(await framePage.request('RELOAD')).toMatchObject({ type: '@w3m-frame/RELOAD_SUCCESS' })
  await page.waitForFunction(() => window.framePage.log.filter(({ type }) => type === '@w3m-frame/READY').length === 2)
  expect((await framePage.request('GET_USER', { chainId: 31337 })).payload.address).toBe(user.address)
})

test('methods that are not on the allow list are rejected, and read methods are answered [R6.3]', async ({
  page,
  world,
}) => {
  const framePage = await openFramePage(page, world)
  await framePage.logIn(someone('jo'))
  for (const method of ['eth_sign', 'wallet_switchEthereumChain', 'eth_requestAccounts', 'toString'])
    expect(await framePage.request('RPC_REQUEST', { method, params: [], ...local })).toMatchObject({
      payload: { message: 'Requested RPC call is not allowed' },
    })
  expect(await framePage.request('RPC_REQUEST', { method: 'eth_chainId', ...local })).toMatchObject({
    payload: '0x7a69',
  })
  expect((await framePage.request('RPC_REQUEST', { method: 'eth_blockNumber', ...local })).payload).toMatch(/^0x/)
})

test('a recovery kit opens the same wallet on a new device, and a wrong code does not', async ({
  page,
  world,
  browser,
}) => {
  const framePage = await openFramePage(page, world)
  const email = someone('lea')
  const { payload: user } = await framePage.logIn(email)
  await framePage.start('sign', { method: 'personal_sign', params: [stringToHex('first'), user.address], ...local })
  await framePage.frame.getByRole('button', { name: 'Add a second key' }).click()
  await framePage.frame.getByRole('button', { name: /Recovery kit/ }).click()
  const groups = await recoveryCode(framePage.frame)
  await framePage.frame.getByLabel(/Type the last group/).fill(groups[7] ?? '')
  await framePage.frame.getByRole('button', { name: 'I have saved it' }).click()
  await expect(framePage.frame.getByText('Your wallet now has a second key.')).toBeVisible()
  const downloading = page.waitForEvent('download')
  await framePage.frame.getByRole('link', { name: /file/ }).click()
  expect((await downloading).suggestedFilename()).toBe('recovery-kit.json')
  await framePage.frame.getByRole('button', { name: 'Done' }).click()
  await approve(framePage.frame, 'Sign')
  expect((await framePage.response('sign')).type).toBe('@w3m-frame/RPC_REQUEST_SUCCESS')

  const elsewhere = await browser.newContext()
  const other = await openFramePage(await elsewhere.newPage(), world)
  // The server limits how often it sends a code. Retry until it accepts the request.
  await expect
    .poll(async () => (await other.request('CONNECT_EMAIL', { email })).type, { timeout: 40_000 })
    .toContain('SUCCESS')
  await other.request('CONNECT_OTP', { otp: await codeFor(world, email) })
  await other.begin('user', 'GET_USER', { chainId: 31337 })
  await expect(other.frame.getByRole('heading', { name: 'Open your wallet' })).toBeVisible()
  const field = other.frame.getByLabel('Recovery code')
  await field.fill(`${groups.slice(0, 7).join('-')}-AAAAA`)
  await other.frame.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(other.frame.getByRole('alert')).toContainText('group 8')
  await field.fill(groups.join(' ').toLowerCase())
  await other.frame.getByRole('button', { name: 'Open', exact: true }).click()
  expect((await other.response('user')).payload.address).toBe(user.address)
  // The new device can now open the wallet without a recovery code.
  const next = await openFramePage(other.page, world)
  expect((await next.request('GET_USER', { chainId: 31337 })).payload.address).toBe(user.address)
  await elsewhere.close()
})

test('a passkey created in the frame opens the wallet after this device has lost its key', async ({ page, world }) => {
  test.slow()
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable', { enableUI: false })
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      hasPrf: true,
      automaticPresenceSimulation: true,
    },
  })
  const framePage = await openFramePage(page, world)
  const { payload: user } = await framePage.logIn(someone('mia'))
  await framePage.start('sign', { method: 'personal_sign', params: [stringToHex('first'), user.address], ...local })
  await framePage.frame.getByRole('button', { name: 'Add a second key' }).click()
  await framePage.frame.getByRole('button', { name: /Passkey/ }).click()
  await expect(framePage.frame.getByText('Your wallet now has a second key.')).toBeVisible()
  await framePage.frame.getByRole('button', { name: 'Done' }).click()
  await approve(framePage.frame, 'Sign')
  await framePage.response('sign')

  await framePage.frame.locator('html').evaluate(
    () =>
      new Promise((resolve) => {
        const opening = indexedDB.open('latchkey')
        opening.onsuccess = () => {
          const clearing = opening.result.transaction('devices', 'readwrite')
          clearing.objectStore('devices').clear()
          clearing.oncomplete = resolve
        }
      }),
  )
  const again = await openFramePage(page, world)
  await again.begin('user', 'GET_USER', { chainId: 31337 })
  await again.frame.getByRole('button', { name: 'Use a passkey' }).click()
  expect((await again.response('user')).payload.address).toBe(user.address)
})
