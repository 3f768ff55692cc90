import { createHash } from 'node:crypto'
import { createPublicClient, encodeFunctionData, http, parseAbi, parseEther, toFunctionSelector, toHex } from 'viem'
import { expect, test, type World } from './support/fixtures.ts'
import {
  approve,
  codeFor,
  type FramePage,
  openApproval,
  openFramePage,
  openFramePageAt,
  pressAsPerson,
  readToTheEnd,
} from './support/framePage.ts'

const local = { chainId: 31337, chainNamespace: 'eip155' }
const friend = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const day = 86_400
const abi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
  'function balanceOf(address) view returns (uint256)',
  'function mint(address to, uint256 amount)',
])

/** Returns an email address that no other test uses. */
const someone = (name: string): string =>
  `${name}-${createHash('sha256')
    .update(name + Date.now())
    .digest('hex')
    .slice(0, 8)}@bakery.example`

// The browser logs a 401 response when the user is not signed in.
// biome-ignore lint/correctness/noEmptyPattern: Playwright requires the destructuring pattern
test.use({ allowedConsole: async ({}, use) => use([/status of (401|422)/, /Unrecognized feature: 'bluetooth'/]) })

const nodeOf = (world: World) =>
  createPublicClient({ transport: http(world.facts.chains[0].rpcUrls.default.http[0]), pollingInterval: 100 })

async function logIn(framePage: FramePage, world: World, name: string): Promise<string> {
  const { payload: user } = await framePage.logIn(someone(name))
  await nodeOf(world).request({
    method: 'anvil_setBalance',
    params: [user.address, toHex(parseEther('1'))],
  } as never)
  return user.address
}

const inDays = (days: number): number => Math.floor(Date.now() / 1000) + days * day
const coins = (eth: string) => ({
  type: 'native-token-recurring-allowance',
  data: { allowance: toHex(parseEther(eth)), period: day },
})

async function grant(framePage: FramePage, request: object): Promise<string> {
  const params = { chainId: '0x7a69', expiry: inDays(7), signer: { type: 'wallet', data: {} }, ...request }
  await framePage.start('grant', { method: 'wallet_grantPermissions', params: [params], ...local })
  await expect(framePage.frame.getByRole('heading', { name: 'Allow without asking' })).toBeVisible()
  await approve(framePage.frame, 'Approve')
  const { payload } = await framePage.response('grant')
  expect(payload.context).toMatch(/^0x[0-9a-f]{64}$/)
  return payload.context
}

const within = (from: string, context: string, calls: readonly object[], id?: string) => ({
  method: 'wallet_sendCalls',
  params: [
    { version: '2.0.0', chainId: '0x7a69', from, calls, capabilities: { permissions: { context } }, ...(id && { id }) },
  ],
  ...local,
})
const send = (eth: string) => ({ to: friend, value: toHex(parseEther(eth)) })

test('calls within a permission are signed without a prompt until the allowance is used up', async ({
  page,
  world,
}) => {
  const framePage = await openFramePage(page, world)
  const from = await logIn(framePage, world, 'ada')
  const params = { chainId: '0x7a69', expiry: inDays(7), permissions: [coins('0.1')] }
  await framePage.start('grant', { method: 'wallet_grantPermissions', params: [params], ...local })
  const screen = framePage.frame.getByRole('main')
  await expect(screen).toContainText('Within these limits, the page can sign without asking you')
  await expect(screen).toContainText('The wallet enforces these limits, not the chain')
  await expect(screen).toContainText(/0\.1\sETH\s*every day/)
  await expect(screen).toContainText('0.7')
  await expect(screen).toContainText('Anyone')
  await expect(screen).toContainText('Local chain 31337')
  // Approving takes two clicks in different places, because the user can lose more than the screen shows.
  const approval = await openApproval(framePage.frame)
  await readToTheEnd(approval)
  await pressAsPerson(approval.getByRole('button', { name: 'Approve', exact: true }))
  await pressAsPerson(approval.getByRole('button', { name: 'Confirm', exact: true }))
  const { context } = (await framePage.response('grant')).payload

  const before = await nodeOf(world).getBalance({ address: friend })
  const sent = await framePage.request('RPC_REQUEST', within(from, context, [send('0.04')]))
  expect(sent.type).toBe('@w3m-frame/RPC_REQUEST_SUCCESS')
  await expect.poll(() => nodeOf(world).getBalance({ address: friend })).toBe(before + parseEther('0.04'))
  // The user was not prompted.
  await expect(framePage.frame.getByRole('heading')).toHaveCount(0)
  const transaction = {
    method: 'eth_sendTransaction',
    params: [{ from, ...send('0.04'), capabilities: { permissions: { context } } }],
    ...local,
  }
  expect((await framePage.request('RPC_REQUEST', transaction)).type).toBe('@w3m-frame/RPC_REQUEST_SUCCESS')

  const listed = await framePage.request('RPC_REQUEST', { method: 'wallet_getGrantedExecutionPermissions', ...local })
  expect(listed.payload).toMatchObject([{ context, state: 'active', calls: 2 }])
  expect(BigInt(listed.payload[0].permissions[0].used)).toBeGreaterThan(parseEther('0.08'))

  await framePage.start('more', within(from, context, [send('0.04')]))
  await expect(framePage.frame.getByRole('heading', { name: 'Send' })).toBeVisible()
  await framePage.frame.getByRole('button', { name: 'Cancel' }).click()
  expect((await framePage.response('more')).type).toBe('@w3m-frame/RPC_REQUEST_ERROR')
})

test('if concurrent calls together exceed the allowance, one is signed and the user is prompted for the rest', async ({
  page,
  world,
}) => {
  const framePage = await openFramePage(page, world)
  const from = await logIn(framePage, world, 'bob')
  const context = await grant(framePage, { permissions: [coins('0.1')] })
  for (const key of ['one', 'two', 'three']) await framePage.start(key, within(from, context, [send('0.06')]))
  await expect(framePage.frame.getByRole('heading', { name: 'Send' })).toBeVisible()
  await expect(framePage.frame.getByText('1 more waiting')).toBeVisible()
  await framePage.request('RPC_ABORT')
  const responses = await Promise.all(['one', 'two', 'three'].map((key) => framePage.response(key)))
  expect(responses.filter(({ type }) => type === '@w3m-frame/RPC_REQUEST_SUCCESS')).toHaveLength(1)
})

test('token transfers within the allowance are signed; approvals, other recipients and larger amounts prompt the user', async ({
  page,
  world,
}) => {
  const framePage = await openFramePage(page, world)
  const from = await logIn(framePage, world, 'cleo')
  const { address: token } = world.facts.token
  // The allowance must be less than the token's supply.
  const node = nodeOf(world)
  const minted = encodeFunctionData({ abi, functionName: 'mint', args: [friend, 10_000_000n] })
  const hash = await node.request({
    method: 'eth_sendTransaction',
    params: [{ from: friend, to: token, data: minted }],
  } as never)
  await node.waitForTransactionReceipt({ hash })
  const context = await grant(framePage, {
    permissions: [
      coins('0.01'),
      { type: 'erc20-recurring-allowance', data: { token, allowance: '0xf4240', period: 7 * day } },
    ],
    policies: [{ type: 'recipients', data: { addresses: [friend] } }],
  })
  const data = (functionName: 'transfer' | 'approve', to: string, amount: bigint) =>
    encodeFunctionData({ abi, functionName, args: [to as `0x${string}`, amount] })
  for (const [name, call] of [
    ['approve', { to: token, data: data('approve', friend, 1n) }],
    ['a transfer to another recipient', { to: token, data: data('transfer', from, 1n) }],
    ['a larger amount', { to: token, data: data('transfer', friend, 1_000_001n) }],
    ['coins to another recipient', { to: token, value: '0x1' }],
  ] as const) {
    await framePage.start(name, within(from, context, [call]))
    await expect(framePage.frame.getByRole('heading', { level: 1 }), name).toBeVisible()
    await framePage.frame.getByRole('button', { name: 'Cancel' }).click()
    expect((await framePage.response(name)).type, name).toBe('@w3m-frame/RPC_REQUEST_ERROR')
    await expect(framePage.frame.getByRole('heading')).toHaveCount(0)
  }
  // Transfer zero tokens, because the account does not have any.
  const sent = await framePage.request(
    'RPC_REQUEST',
    within(from, context, [{ to: token, data: data('transfer', friend, 0n) }]),
  )
  expect(sent.type).toBe('@w3m-frame/RPC_REQUEST_SUCCESS')
})

test('a permission can be revoked by the page or the user, and ends when the user signs out', async ({
  page,
  world,
}) => {
  const framePage = await openFramePage(page, world)
  const from = await logIn(framePage, world, 'dan')
  const revoke = (params: unknown) => ({ method: 'wallet_revokePermissions', params, ...local })
  const asksAgain = async (context: string): Promise<void> => {
    await framePage.start('after', within(from, context, [send('0.001')]))
    await expect(framePage.frame.getByRole('heading', { name: 'Send' })).toBeVisible()
    await framePage.frame.getByRole('button', { name: 'Cancel' }).click()
    await framePage.response('after')
  }

  const first = await grant(framePage, { permissions: [coins('0.1')] })
  await framePage.start('revoke', revoke([{ context: first }]))
  await expect(framePage.frame.getByRole('heading', { name: 'Revoke a permission' })).toBeVisible()
  await approve(framePage.frame, 'Revoke')
  expect(await framePage.response('revoke')).toMatchObject({ type: '@w3m-frame/RPC_REQUEST_SUCCESS' })
  await asksAgain(first)

  const second = await grant(framePage, { permissions: [coins('0.1')] })
  await framePage.start('all', revoke([]))
  await expect(framePage.frame.getByRole('heading', { name: 'What pages can do' })).toBeVisible()
  await framePage.frame.getByRole('button', { name: 'Revoke' }).click()
  await expect(framePage.frame.getByText('Revoked')).toBeVisible()
  await framePage.frame.getByRole('button', { name: 'Done' }).click()
  await framePage.response('all')
  await asksAgain(second)

  // EIP-2255 defines a method with the same name but different params.
  expect(await framePage.request('RPC_REQUEST', revoke([{ eth_accounts: {} }]))).toMatchObject({
    payload: { message: 'wallet_revokePermissions: Expected the context of a permission' },
  })
  expect(await framePage.request('RPC_REQUEST', revoke([{ context: `0x${'ab'.repeat(32)}` }]))).toMatchObject({
    payload: { message: 'Unknown permission' },
  })

  const third = await grant(framePage, { permissions: [coins('0.1')] })
  await framePage.request('SIGN_OUT')
  const stored = await framePage.frame.locator('html').evaluate(
    () =>
      new Promise<readonly { context: string; revokedAt?: number }[]>((resolve) => {
        const opening = indexedDB.open('latchkey-permissions')
        opening.onsuccess = () => {
          const asking = opening.result.transaction('grants').objectStore('grants').getAll()
          asking.onsuccess = () => resolve(asking.result)
        }
      }),
  )
  expect(stored.find(({ context }) => context === third)?.revokedAt).toBeGreaterThan(0)
})

test('a different page cannot use a permission’s context', async ({ page, world, context: browser }) => {
  const framePage = await openFramePage(page, world)
  const from = await logIn(framePage, world, 'eve')
  const context = await grant(framePage, { permissions: [coins('0.1')] })
  const other = await browser.newPage()
  const elsewhere = await openFramePageAt(other, {
    pages: `http://other.demo.localhost:${world.port}`,
    codeFor: (email) => codeFor(world, email),
  })
  await elsewhere.request('GET_USER', { chainId: 31337 })
  expect(
    (await elsewhere.request('RPC_REQUEST', { method: 'wallet_getGrantedExecutionPermissions', ...local })).payload,
  ).toEqual([])
  await elsewhere.start('use', within(from, context, [send('0.001')]))
  await expect(elsewhere.frame.getByRole('heading', { name: 'Send' })).toBeVisible()
  expect(
    await elsewhere.request('RPC_REQUEST', { method: 'wallet_revokePermissions', params: [{ context }], ...local }),
  ).toMatchObject({ payload: { message: 'Unknown permission' } })
})

test('unlimited or unknown permissions are rejected without prompting the user', async ({ page, world }) => {
  const framePage = await openFramePage(page, world)
  await logIn(framePage, world, 'fay')
  const ask = (request: object) =>
    framePage.request('RPC_REQUEST', {
      method: 'wallet_grantPermissions',
      params: [{ chainId: '0x7a69', expiry: inDays(7), permissions: [coins('0.1')], ...request }],
      ...local,
    })
  const policies = [{ type: 'recipients', data: { addresses: [friend] } }]
  for (const [request, sentence] of [
    [
      {
        permissions: [
          { type: 'native-token-recurring-allowance', data: { allowance: toHex(2n ** 256n - 1n), period: day } },
        ],
      },
      /unlimited/,
    ],
    [{ permissions: [{ type: 'all', data: {} }] }, /permissions\.0/],
    [{ expiry: inDays(4000) }, /at most 90 days/],
    [{ chainId: '0x1' }, /different network/],
    [{ signer: { type: 'keys', data: { keys: [] } } }, /signer/],
    [
      { permissions: [coins('0.1'), madeUp(world.facts.token.address, { rules: false })] },
      /every argument requires a rule/,
    ],
    [{ permissions: [coins('0.1'), madeUp(world.facts.token.address)] }, /an address must be the account itself/],
    // This function has the same selector as DAI's permit.
    [{ permissions: [coins('0.1'), madeUp(friend, { name: 'claim_051aaebf' })] }, /moves assets/],
    [{ permissions: [coins('0.1'), madeUp(world.facts.token.address)], policies }, /holds or controls assets/],
    [{ permissions: [coins('0.1'), madeUp(friend)], policies }, /there is no contract/],
    [
      {
        permissions: [
          coins('0.1'),
          { type: 'erc20-recurring-allowance', data: { token: friend, allowance: '0x1', period: day } },
        ],
      },
      /is not an ERC-20 token/,
    ],
  ] as const)
    expect((await ask(request)).payload.message).toMatch(sentence)
  await expect(framePage.frame.getByRole('heading')).toHaveCount(0)
})

/** Returns a permission for calls to a custom function, with rules for its arguments. */
const madeUp = (address: string, { rules = true, name = 'collect' } = {}) => ({
  type: 'contract-call',
  data: {
    address,
    abi: parseAbi([`function ${name}(address to, uint256 amount)`] as readonly string[]),
    functions: [
      {
        functionName: name,
        ...(rules && {
          args: [
            { operator: 'EQUAL', value: friend },
            { operator: 'LESS_THAN', value: 100 },
          ],
        }),
      },
    ],
  },
})
/** Bytecode that succeeds on calls to `SELECTOR` and reverts on any other call. */
const collector = '0x60003560e01c63SELECTOR14601257' + '5f5ffd5b00'

test('a permission for contract calls shows the function’s selector, and only calls that match every rule are signed', async ({
  page,
  world,
}) => {
  const framePage = await openFramePage(page, world)
  const from = await logIn(framePage, world, 'joy')
  const collect = parseAbi(['function collect(address to, uint256 amount)'])
  const selector = toFunctionSelector(collect[0])
  const contract = `0x${createHash('sha256').update(from).digest('hex').slice(0, 40)}`
  const set = (code: string) => nodeOf(world).request({ method: 'anvil_setCode', params: [contract, code] } as never)
  await set(collector.replace('SELECTOR', selector.slice(2)))
  const params = {
    chainId: '0x7a69',
    expiry: inDays(7),
    permissions: [coins('0.1'), madeUp(contract)],
    policies: [{ type: 'recipients', data: { addresses: [friend] } }],
  }
  await framePage.start('grant', { method: 'wallet_grantPermissions', params: [params], ...local })
  const screen = framePage.frame.getByRole('main')
  await expect(screen).toContainText('The name cannot be trusted')
  await expect(screen.getByText(selector)).toBeVisible()
  await expect(screen).toContainText('Name given by the page collect(address,uint256)')
  await expect(screen).toContainText(`1 (address) = ${friend.toLowerCase()}`)
  await expect(screen).toContainText('2 (uint256) < 100')
  await approve(framePage.frame, 'Approve')
  const { context } = (await framePage.response('grant')).payload
  const data = (to: string, amount: bigint) => encodeFunctionData({ abi: collect, args: [to as `0x${string}`, amount] })
  const good = { to: contract, data: data(friend, 99n) }
  expect((await framePage.request('RPC_REQUEST', within(from, context, [good]))).type).toBe(
    '@w3m-frame/RPC_REQUEST_SUCCESS',
  )
  for (const [name, call] of [
    ['another address', { to: contract, data: data(from, 99n) }],
    ['a larger amount', { to: contract, data: data(friend, 100n) }],
    ['trailing data', { to: contract, data: `${data(friend, 1n)}00` }],
    [
      'nonzero padding before an address',
      { to: contract, data: data(friend, 1n).replace(`${selector}00`, `${selector}01`) },
    ],
    ['a call with coins', { to: contract, data: data(friend, 1n), value: '0x1' }],
    ['coins without a call', { to: contract, value: '0x1' }],
    ['three bytes', { to: contract, data: '0x010203' }],
    ['the account itself', { to: from, value: '0x1' }],
  ] as const) {
    await framePage.start(name, within(from, context, [good, call]))
    await expect(framePage.frame.getByRole('heading', { level: 1 }), name).toBeVisible()
    await framePage.frame.getByRole('button', { name: 'Cancel' }).click()
    expect((await framePage.response(name)).type, name).toBe('@w3m-frame/RPC_REQUEST_ERROR')
    await expect(framePage.frame.getByRole('heading')).toHaveCount(0)
  }
  // The permission does not cover different code at the same address.
  await set(`${collector.replace('SELECTOR', selector.slice(2))}00`)
  await framePage.start('changed', within(from, context, [good]))
  await expect(framePage.frame.getByRole('heading', { level: 1 })).toBeVisible()
})

test('changing the clock neither expires a permission nor resets its allowance', async ({ page, world }) => {
  const framePage = await openFramePage(page, world)
  // Shifts the frame's clock, as changing the system time would.
  const shift = (days: number) =>
    framePage.frame.locator('html').evaluate((_, ms) => {
      const own = window as unknown as { shifted?: { ms: number } }
      if (own.shifted) own.shifted.ms = ms
      else {
        const clockShift = { ms }
        own.shifted = clockShift
        const { now } = Date
        Date.now = () => now() + clockShift.ms
      }
    }, days * 86_400_000)
  await shift(0)
  const from = await logIn(framePage, world, 'kim')
  const context = await grant(framePage, { permissions: [coins('0.1')] })
  const isMade = async (eth: string): Promise<boolean> => {
    await framePage.start('use', within(from, context, [send(eth)]))
    const response = await Promise.race([
      framePage.response('use'),
      framePage.frame
        .getByRole('heading', { name: 'Send' })
        .waitFor()
        .then(() => undefined),
    ])
    if (response) return response.type === '@w3m-frame/RPC_REQUEST_SUCCESS'
    await framePage.frame.getByRole('button', { name: 'Cancel' }).click()
    await framePage.response('use')
    return false
  }
  expect(await isMade('0.06')).toBe(true)
  for (const days of [1.5, 30, -1, -400, 0]) {
    await shift(days)
    expect(await isMade('0.06'), `${days} days`).toBe(false)
    expect(await isMade('0.001'), `${days} days`).toBe(true)
  }
})

test('wallet_getAssets returns the account’s assets, supports filters and rejects other accounts [R6.3] [R7.8]', async ({
  page,
  world,
}) => {
  const framePage = await openFramePage(page, world)
  const account = await logIn(framePage, world, 'gus')
  const assets = (params: unknown) => framePage.request('RPC_REQUEST', { method: 'wallet_getAssets', params, ...local })
  const native = {
    address: 'native',
    balance: toHex(parseEther('1')),
    type: 'NATIVE',
    metadata: { name: 'ETH', symbol: 'ETH', decimals: 18, price: 0, iconUrl: '' },
  }
  expect((await assets([{ account, chainFilter: ['0x7a69'] }])).payload).toEqual({ '0x7a69': [native] })
  expect(Object.keys((await assets([{ account }])).payload)).toEqual(['0x7a69', '0x7a6a'])
  const token = world.facts.token.address
  expect(
    (await assets([{ account, assetFilter: { '0x7a69': [{ address: token, type: 'erc20' }] }, chainFilter: [] }]))
      .payload,
  ).toMatchObject({
    '0x7a69': [{ address: token.toLowerCase(), balance: '0x0', type: 'ERC20', metadata: { decimals: 6 } }],
  })
  expect((await assets([{ account, assetTypeFilter: ['erc721'], chainFilter: ['0x7a69'] }])).payload).toEqual({
    '0x7a69': [],
  })
  expect(await assets([{ account: friend }])).toMatchObject({
    payload: { message: 'This account is not in the wallet' },
  })
  expect(await assets([{ account, chainFilter: ['everything'] }])).toMatchObject({
    type: '@w3m-frame/RPC_REQUEST_ERROR',
  })
  const { payload } = await framePage.request('RPC_REQUEST', {
    method: 'wallet_getCapabilities',
    params: [account],
    ...local,
  })
  expect(payload['0x7a69']).toMatchObject({ assetDiscovery: { supported: true }, permissions: { supported: true } })
})

test('a contract account also signs calls within a permission without a prompt', async ({ page, world }) => {
  // Allow extra time, because the first request starts the bundler.
  test.setTimeout(180_000)
  const framePage = await openFramePage(page, world)
  await logIn(framePage, world, 'hal')
  const { payload } = await framePage.request('SET_PREFERRED_ACCOUNT', { type: 'smartAccount' })
  const contract: string = payload.address
  await nodeOf(world).request({ method: 'anvil_setBalance', params: [contract, toHex(parseEther('1'))] } as never)
  const context = await grant(framePage, { address: contract, permissions: [coins('0.1')] })
  const before = await nodeOf(world).getBalance({ address: friend })
  const sent = await framePage.request('RPC_REQUEST', within(contract, context, [send('0.01'), send('0.02')]))
  expect(sent).toMatchObject({ type: '@w3m-frame/RPC_REQUEST_SUCCESS' })
  await expect(framePage.frame.getByRole('heading')).toHaveCount(0)
  await expect
    .poll(() => nodeOf(world).getBalance({ address: friend }), { timeout: 30_000 })
    .toBe(before + parseEther('0.03'))
})

test('a permission is granted once, used without a prompt, then listed and revoked in the modal [R9.7]', async ({
  page,
  world,
}) => {
  test.setTimeout(90_000)
  const email = someone('ivy')
  await page.goto(`http://pages.demo.localhost:${world.port}/smartSessions.html`)
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: /mail/i }).fill(email)
  await page.keyboard.press('Enter')
  await expect(dialog.getByText(email)).toBeVisible()
  await page.keyboard.type(await codeFor(world, email))
  const account = page.getByRole('button', { name: /^Account / })
  await expect(account).toBeVisible({ timeout: 20_000 })

  await page.getByRole('button', { name: 'Allow tips' }).click()
  const frame = page.frameLocator('iframe')
  await expect(frame.getByText('The wallet enforces these limits, not the chain')).toBeVisible()
  await approve(frame, 'Approve')
  await expect(dialog.getByRole('heading', { name: 'Allowed' })).toBeVisible()
  await expect(dialog.getByText('Limit for 1 hour')).toBeVisible()
  const address = await page.getByLabel('Account', { exact: true }).textContent()
  expect(address).toMatch(/^0x/)
  await nodeOf(world).request({ method: 'anvil_setBalance', params: [address, toHex(parseEther('1'))] } as never)
  await dialog.getByRole('button', { name: 'Done' }).click()

  const before = await nodeOf(world).getBalance({ address: friend })
  await page.getByRole('button', { name: 'Send a tip' }).click()
  await expect(page.getByLabel('Said')).toHaveText(/^done/)
  await expect.poll(() => nodeOf(world).getBalance({ address: friend })).toBe(before + 1n)
  await expect(dialog).toBeHidden()

  await account.click()
  await dialog.getByRole('button', { name: 'Settings' }).click()
  await dialog.getByRole('button', { name: 'Smart sessions' }).click()
  await expect(dialog.getByText('Calls so far')).toBeVisible()
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await approve(frame, 'Revoke')
  await expect(dialog.getByText('This app cannot do anything without asking you.')).toBeVisible()
  await dialog.getByRole('tab', { name: 'Revoked' }).click()
  await expect(dialog.getByRole('list').getByText('Revoked')).toBeVisible()
})
