import { webcrypto } from 'node:crypto'
import { base58 } from '@scure/base'
import { createTestClient, http, parseEther, parseGwei, publicActions, stringToHex, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { SafeMethod, UnsafeMethod } from '../packages/protocol/src/frame/rpcMethods.ts'
import { popupSocialProviders } from '../packages/protocol/src/specificationConstants.ts'
import { expect, test, type World } from './support/fixtures.ts'
import {
  approve,
  codeFor,
  type FramePage,
  type FrameResponse,
  mailsTo,
  openFramePage,
  openFramePageAt,
} from './support/framePage.ts'
import { askSolana, transferOf } from './support/solanaTransfer.ts'

// Covers the email, social and Farcaster logins and every RPC method of our frame, on a page that uses only window messages.

// The browser logs failed responses: 401 when the user is not signed in, and 422 for a social login result that was already used.
// biome-ignore lint/correctness/noEmptyPattern: Playwright requires the destructuring pattern
test.use({ allowedConsole: async ({}, use) => use([/status of (401|422)/, /Unrecognized feature: 'bluetooth'/]) })

const someone = (name: string, domain = 'plain.example') => `${name}-${Date.now().toString(36)}@${domain}`
const local = { chainId: 31337, chainNamespace: 'eip155' }

/** Opens a page that can communicate with its popups. */
const openPlain = (page: Parameters<typeof openFramePageAt>[0], world: World): Promise<FramePage> =>
  openFramePageAt(page, {
    pages: `http://open.demo.localhost:${world.port}`,
    codeFor: (email) => codeFor(world, email),
  })

/** Checks that the frame is connected, and resolves to the account's address. */
async function expectIn(framePage: FramePage): Promise<string> {
  const { type, payload } = await framePage.request('GET_USER', { chainId: 31337 })
  expect(type).toBe('@w3m-frame/GET_USER_SUCCESS')
  expect(payload.address).toMatch(/^0x[0-9a-fA-F]{40}$/)
  expect(await framePage.request('IS_CONNECTED')).toMatchObject({ payload: { isConnected: true } })
  return payload.address
}

test.describe('a user can log in', () => {
  test('with an emailed code [R4.4]', async ({ page, world }) => {
    const framePage = await openPlain(page, world)
    const email = someone('code')
    expect(await framePage.request('CONNECT_EMAIL', { email })).toMatchObject({ payload: { action: 'VERIFY_OTP' } })
    expect((await framePage.request('CONNECT_OTP', { otp: await codeFor(world, email) })).type).toMatch(/_SUCCESS$/)
    await expectIn(framePage)
    // A user who is already signed in does not receive a second code.
    expect(await framePage.request('CONNECT_EMAIL', { email })).toMatchObject({ payload: { action: 'CONNECT' } })
  })

  test('with an emailed link, which answers every pending request [R4.4]', async ({ page, world, browser }) => {
    const framePage = await openPlain(page, world)
    const email = someone('link', 'careful.example')
    expect(await framePage.request('CONNECT_EMAIL', { email })).toMatchObject({ payload: { action: 'VERIFY_DEVICE' } })
    await framePage.begin('one', 'CONNECT_DEVICE')
    await framePage.begin('two', 'CONNECT_DEVICE')
    const phone = await browser.newPage()
    const [mail] = await mailsTo(world, email)
    await phone.goto(mail?.text.match(/https?:\S+\/vault\/approve\S+/)?.[0] ?? 'no link')
    await phone.getByRole('button', { name: 'Approve' }).click()
    await expect(phone.getByText('Browser approved')).toBeVisible()
    await phone.close()
    for (const key of ['one', 'two'])
      expect((await framePage.response(key)).type).toBe('@w3m-frame/CONNECT_DEVICE_SUCCESS')
    expect((await framePage.request('CONNECT_OTP', { otp: await codeFor(world, email) })).type).toMatch(/_SUCCESS$/)
    await expectIn(framePage)
  })

  for (const provider of popupSocialProviders) {
    test(`with ${provider} in a popup, which posts its final URL to the page [R1.3]`, async ({ page, world }) => {
      test.setTimeout(60_000)
      const framePage = await openPlain(page, world)
      const opens = page.waitForEvent('popup')
      const popupUrl = page.evaluate((provider) => window.framePage.popup(provider), provider)
      const popup = await opens
      await popup.getByRole('textbox', { name: 'Email' }).fill(someone(provider))
      await popup.getByRole('button', { name: /^Continue to/ }).click()
      const uri = await popupUrl
      const response = await framePage.request('CONNECT_SOCIAL', { uri, chainId: 31337 })
      // X does not provide a real name, so the user name is the handle.
      const userName = provider === 'x' ? expect.stringMatching(/^x-/) : 'Ada'
      expect(response).toMatchObject({ type: '@w3m-frame/CONNECT_SOCIAL_SUCCESS', payload: { userName } })
      expect(await expectIn(framePage)).toBe(response.payload.address)
      // The result URL cannot be used twice.
      await framePage.request('SIGN_OUT')
      expect(await framePage.request('CONNECT_SOCIAL', { uri })).toMatchObject({
        payload: { message: 'The sign-in failed' },
      })
    })
  }

  test('by redirecting to a provider with the return URL in the state, even under COOP [R1.3]', async ({
    page,
    world,
  }) => {
    test.setTimeout(60_000)
    const framePage = await openFramePage(page, world)
    const { payload } = await framePage.request('GET_SOCIAL_REDIRECT_URI', { provider: 'discord' })
    const loginUrl = new URL(payload.uri)
    loginUrl.searchParams.set('state', `${loginUrl.searchParams.get('state')}--${encodeURIComponent(page.url())}`)
    await page.goto(loginUrl.href)
    await page.getByRole('textbox', { name: 'Email' }).fill(someone('top'))
    await page.getByRole('button', { name: /^Continue to/ }).click()
    await page.waitForURL(/result_uri=/)
    await page.waitForFunction(() => window.framePage !== undefined)
    await page.evaluate(() => window.framePage.ready)
    const uri = new URL(page.url()).searchParams.get('result_uri') ?? ''
    expect((await framePage.request('CONNECT_SOCIAL', { uri })).payload).toMatchObject({ userName: 'Ada' })
    await expectIn(framePage)
  })

  test('with Farcaster, even if polls overlap [R1.4]', async ({ page, world, browser }) => {
    const framePage = await openPlain(page, world)
    const { payload } = await framePage.request('GET_FARCASTER_URI')
    expect(await framePage.request('GET_FARCASTER_URI')).toMatchObject({ payload })
    for (const key of ['one', 'two', 'three']) await framePage.begin(key, 'CONNECT_FARCASTER')
    const phone = await browser.newPage()
    await phone.goto(payload.url)
    await phone.getByRole('textbox', { name: 'Email' }).fill('frida@people.example')
    await phone.getByRole('button', { name: /^Continue to/ }).click()
    await expect(phone.getByText('You are signed in.')).toBeVisible()
    await phone.close()
    for (const key of ['one', 'two', 'three'])
      expect(await framePage.response(key)).toMatchObject({ payload: { userName: 'frida' } })
    const { payload: user } = await framePage.request('GET_USER', { chainId: 31337 })
    expect(user.email).toBeNull()
  })
})

/** On-chain data that the params of the read methods refer to. */
interface Facts {
  readonly address: string
  /** The hash of a mined transaction. */
  readonly hash: string
  readonly block: string
  readonly number: string
  readonly filter: string
  readonly raw: string
  /** The ID of a call batch. */
  readonly calls: string
}
interface Read {
  readonly params?: (facts: Facts) => unknown
  readonly check: (payload: unknown, facts: Facts) => void
}

const hex = (payload: unknown): void => expect(payload).toMatch(/^0x[0-9a-f]*$/)
const something = (payload: unknown): void => expect(payload).toEqual(expect.anything())
const list = (payload: unknown): void => expect(payload).toEqual(expect.any(Array))
const nothing = (payload: unknown): void => expect(payload).toBeNull()
const refused = (payload: unknown): void => expect(payload).toEqual({ message: expect.any(String) })
const nobody = `0x${'00'.repeat(32)}`
const call = ({ address }: Facts) => ({ from: address, to: address, value: '0x0' })

// Every read method in the protocol. A missing method is a type error.
const reads: Readonly<Record<SafeMethod, Read>> = {
  eth_accounts: { check: (payload, { address }) => expect(payload).toContain(address) },
  eth_blockNumber: { check: hex },
  eth_call: { params: (facts) => [call(facts), 'latest'], check: hex },
  eth_chainId: { check: (payload) => expect(payload).toBe('0x7a69') },
  eth_estimateGas: { params: (facts) => [call(facts)], check: hex },
  eth_feeHistory: { params: () => ['0x1', 'latest', []], check: something },
  eth_gasPrice: { check: hex },
  eth_getAccount: { params: ({ address }) => [address, 'latest'], check: something },
  eth_getBalance: { params: ({ address }) => [address, 'latest'], check: hex },
  eth_getBlockByHash: { params: ({ block }) => [block, false], check: something },
  eth_getBlockByNumber: { params: () => ['latest', false], check: something },
  eth_getBlockReceipts: { params: ({ number }) => [number], check: list },
  eth_getBlockTransactionCountByHash: { params: ({ block }) => [block], check: hex },
  eth_getBlockTransactionCountByNumber: { params: ({ number }) => [number], check: hex },
  eth_getCode: { params: ({ address }) => [address, 'latest'], check: hex },
  eth_getFilterChanges: { params: ({ filter }) => [filter], check: list },
  eth_getFilterLogs: { params: ({ filter }) => [filter], check: list },
  eth_getLogs: { params: () => [{ fromBlock: 'latest' }], check: list },
  eth_getProof: { params: ({ address }) => [address, [], 'latest'], check: something },
  eth_getStorageAt: { params: ({ address }) => [address, '0x0', 'latest'], check: hex },
  eth_getTransactionByBlockHashAndIndex: { params: ({ block }) => [block, '0x0'], check: something },
  eth_getTransactionByBlockNumberAndIndex: { params: ({ number }) => [number, '0x0'], check: something },
  eth_getTransactionByHash: { params: ({ hash }) => [hash], check: something },
  eth_getTransactionCount: { params: ({ address }) => [address, 'latest'], check: hex },
  eth_getTransactionReceipt: { params: ({ hash }) => [hash], check: something },
  eth_getUncleCountByBlockHash: { params: ({ block }) => [block], check: hex },
  eth_getUncleCountByBlockNumber: { params: ({ number }) => [number], check: hex },
  eth_maxPriorityFeePerGas: { check: hex },
  eth_newBlockFilter: { check: hex },
  eth_newFilter: { params: () => [{ fromBlock: 'latest' }], check: hex },
  eth_newPendingTransactionFilter: { check: hex },
  eth_sendRawTransaction: { params: ({ raw }) => [raw], check: hex },
  eth_syncing: { check: (payload) => expect(payload).toBe(false) },
  eth_uninstallFilter: { params: ({ filter }) => [filter], check: (payload) => expect(payload).toBe(true) },
  wallet_getCapabilities: { params: ({ address }) => [address], check: something },
  wallet_getCallsStatus: {
    params: ({ calls }) => [calls],
    check: (payload) => expect(payload).toMatchObject({ chainId: '0x7a69' }),
  },
  wallet_getAssets: { params: ({ address }) => [{ account: address, chainFilter: ['0x7a69'] }], check: something },
  wallet_getGrantedExecutionPermissions: { check: list },
  wallet_getSupportedExecutionPermissions: { check: something },
  eth_getUserOperationReceipt: { params: () => [nobody], check: nothing },
  eth_estimateUserOperationGas: { params: () => [{}, nobody], check: refused },
  eth_getUserOperationByHash: { params: () => [nobody], check: nothing },
  eth_supportedEntryPoints: { check: list },
}

test('every read method is answered without prompting the user [R6.3]', async ({ page, world }) => {
  test.setTimeout(90_000)
  const framePage = await openPlain(page, world)
  const { address } = (await framePage.logIn(someone('reads'))).payload
  const facts = await readsOf(world, framePage, address)
  const ask = async (method: string, params: unknown): Promise<unknown> =>
    (await framePage.request('RPC_REQUEST', { method, ...(params !== undefined && { params }), ...local })).payload
  for (const [method, { params, check }] of Object.entries(reads)) {
    const payload = await ask(method, params?.(facts))
    await test.step(method, () => check(payload, facts))
  }
  await expect(framePage.frame.getByRole('heading')).toHaveCount(0)
})

/** Creates the on-chain data that the read methods refer to. */
async function readsOf(world: World, framePage: FramePage, address: string): Promise<Facts> {
  const [chain] = world.facts.chains
  const node = createTestClient({ mode: 'anvil', chain, transport: http() }).extend(publicActions)
  const sender = privateKeyToAccount(generatePrivateKey())
  await node.setBalance({ address: sender.address, value: parseEther('1') })
  await node.setBalance({ address: address as `0x${string}`, value: parseEther('1') })
  const fees = { maxFeePerGas: parseGwei('50'), maxPriorityFeePerGas: parseGwei('1'), gas: 21_000n, chainId: chain.id }
  const signed = (nonce: number) => sender.signTransaction({ to: sender.address, nonce, ...fees })
  const hash = await node.sendRawTransaction({ serializedTransaction: await signed(0) })
  const { blockHash, blockNumber } = await node.waitForTransactionReceipt({ hash })
  const { payload: filter } = await framePage.request('RPC_REQUEST', {
    method: 'eth_newFilter',
    params: [{ fromBlock: 'latest' }],
    ...local,
  })
  await framePage.start('calls', approvals.wallet_sendCalls.requestOf({ address, solana: '', transaction: '' }))
  await approve(framePage.frame, 'Approve')
  const { payload: calls } = await framePage.response('calls')
  return { address, hash, block: blockHash, number: toHex(blockNumber), filter, raw: await signed(1), calls: calls.id }
}

interface Holder {
  readonly address: string
  readonly solana: string
  readonly transaction: string
}
interface Approval {
  readonly requestOf: (holder: Holder) => { method: string; params: unknown; chainId: number | string }
  /** The approval button and a check of the result, or `undefined` if the frame rejects the method without prompting the user. */
  readonly yes: { readonly button: 'Sign' | 'Approve'; readonly check: (payload: unknown) => void } | undefined
}

const friend = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const evm =
  (method: UnsafeMethod, params: (holder: Holder) => unknown): Approval['requestOf'] =>
  (holder) => ({ method, params: params(holder), ...local })
const solana =
  (method: UnsafeMethod, params: (holder: Holder) => unknown): Approval['requestOf'] =>
  (holder) => ({ method, params: params(holder), chainId: solanaReference, chainNamespace: 'solana' })
const solanaReference = 'BakeryLoca1So1anaNetwork11111111'
const signature = (payload: unknown): void =>
  expect(payload).toMatchObject({ signature: expect.stringMatching(/^\w{64,}$/) })

const approvals: Readonly<Record<UnsafeMethod, Approval>> = {
  personal_sign: {
    requestOf: evm('personal_sign', ({ address }) => [stringToHex('Bread'), address]),
    yes: { button: 'Sign', check: hex },
  },
  eth_signTypedData_v4: {
    requestOf: evm('eth_signTypedData_v4', ({ address }) => [
      address,
      JSON.stringify({
        domain: { name: 'Bakery', chainId: 31337 },
        primaryType: 'Order',
        types: {
          EIP712Domain: [
            { name: 'name', type: 'string' },
            { name: 'chainId', type: 'uint256' },
          ],
          Order: [{ name: 'loaves', type: 'uint256' }],
        },
        message: { loaves: '2' },
      }),
    ]),
    yes: { button: 'Sign', check: hex },
  },
  eth_sendTransaction: {
    requestOf: evm('eth_sendTransaction', ({ address }) => [{ from: address, to: friend, value: '0x1' }]),
    yes: { button: 'Approve', check: hex },
  },
  wallet_sendCalls: {
    requestOf: evm('wallet_sendCalls', ({ address }) => [
      { version: '2.0.0', chainId: '0x7a69', from: address, calls: [{ to: friend, value: '0x1' }] },
    ]),
    yes: { button: 'Approve', check: (payload) => expect(payload).toMatchObject({ id: expect.any(String) }) },
  },
  wallet_grantPermissions: {
    requestOf: evm('wallet_grantPermissions', () => [
      {
        chainId: '0x7a69',
        expiry: Math.floor(Date.now() / 1000) + 86_400,
        signer: { type: 'wallet', data: {} },
        permissions: [{ type: 'native-token-recurring-allowance', data: { allowance: '0x1', period: 86_400 } }],
      },
    ]),
    yes: { button: 'Approve', check: (payload) => expect(payload).toMatchObject({ context: expect.any(String) }) },
  },
  // The frame rejects these methods itself. The permission does not exist, and user operations would be signed blindly.
  wallet_revokePermissions: {
    requestOf: evm('wallet_revokePermissions', () => [{ permissionsContext: nobody }]),
    yes: undefined,
  },
  eth_sendUserOperation: { requestOf: evm('eth_sendUserOperation', () => [{}, nobody]), yes: undefined },
  solana_signMessage: {
    requestOf: solana('solana_signMessage', ({ solana }) => ({
      message: base58.encode(new TextEncoder().encode('Bread')),
      pubkey: solana,
    })),
    yes: { button: 'Sign', check: signature },
  },
  solana_signTransaction: {
    requestOf: solana('solana_signTransaction', ({ transaction }) => ({ transaction })),
    yes: {
      button: 'Sign',
      check: (payload) => expect(payload).toMatchObject({ transaction: expect.stringMatching(/^\w{200,}$/) }),
    },
  },
  solana_signAllTransactions: {
    requestOf: solana('solana_signAllTransactions', ({ transaction }) => ({
      transactions: [transaction, transaction],
    })),
    yes: {
      button: 'Sign',
      check: (payload) => expect(payload).toMatchObject({ transactions: [expect.any(String), expect.any(String)] }),
    },
  },
  solana_signAndSendTransaction: {
    requestOf: solana('solana_signAndSendTransaction', ({ transaction }) => ({ transaction })),
    yes: { button: 'Approve', check: signature },
  },
}

test('every signing method prompts the user and can be rejected, aborted or approved [R6.4] [R4.15]', async ({
  page,
  world,
}) => {
  test.setTimeout(180_000)
  const framePage = await openPlain(page, world)
  const holder = await holderOf(world, framePage)
  for (const [method, { requestOf, yes }] of Object.entries(approvals)) {
    await test.step(method, async () => {
      const request = requestOf(holder)
      if (!yes) {
        expect(await framePage.request('RPC_REQUEST', request)).toMatchObject({ type: '@w3m-frame/RPC_REQUEST_ERROR' })
        return
      }
      const button = framePage.frame.getByRole('button', { name: 'Continue in a window' })
      await framePage.start('no', request)
      await expect(button).toBeVisible()
      await framePage.frame.getByRole('button', { name: 'Cancel', exact: true }).click()
      expect(await framePage.response('no')).toMatchObject(refusal('User rejected the request.'))

      await framePage.start('aborted', request)
      await expect(button).toBeVisible()
      // RPC_ABORT without a request ID aborts every request.
      await framePage.request('RPC_ABORT')
      expect(await framePage.response('aborted')).toMatchObject(refusal('Request was aborted'))
      await expect(button).toHaveCount(0)

      await framePage.start('yes', request)
      await approve(framePage.frame, yes.button)
      const response = await framePage.response('yes')
      expect(response.type).toBe('@w3m-frame/RPC_REQUEST_SUCCESS')
      yes.check(response.payload)
    })
  }
})

const refusal = (message: string): Partial<FrameResponse> => ({
  type: '@w3m-frame/RPC_REQUEST_ERROR',
  payload: { message },
})

/** Logs in a user who has funds on both chains, and creates an unsigned Solana transfer. */
async function holderOf(world: World, framePage: FramePage): Promise<Holder> {
  const { address } = (await framePage.logIn(someone('signs'))).payload
  const [chain] = world.facts.chains
  await createTestClient({ mode: 'anvil', chain, transport: http() }).setBalance({ address, value: parseEther('1') })
  const { url, chainId } = world.facts.solana
  const { address: solana } = (await framePage.request('GET_USER', { chainId })).payload
  await framePage.request('GET_USER', { chainId: 31337 })
  await askSolana(url, 'requestAirdrop', [solana, 2_000_000_000])
  const to = base58.encode(webcrypto.getRandomValues(new Uint8Array(32)))
  return { address, solana, transaction: await transferOf(url, { from: solana, to, lamports: 1_000_000_000 }) }
}

test('methods that are not on the allow list are rejected, including wallet methods and spelling variants [R6.3]', async ({
  page,
  world,
}) => {
  const framePage = await openPlain(page, world)
  await framePage.logIn(someone('unknown'))
  const unknown = [
    'eth_sign',
    'eth_requestAccounts',
    'wallet_switchEthereumChain',
    'ETH_BLOCKNUMBER',
    'constructor',
    '',
  ]
  for (const method of unknown) {
    const response = await framePage.request('RPC_REQUEST', { method, params: [], ...local })
    expect(response, method).toMatchObject({ type: '@w3m-frame/RPC_REQUEST_ERROR' })
  }
  await expect(framePage.frame.getByRole('heading')).toHaveCount(0)
})
