import {
  type Client,
  createClient,
  createProposer,
  type Metadata,
  memoryStorage,
  messageOf,
  type ProposedNamespaces,
  type Session,
  type Socket,
} from '@latchkey/walletconnect'
import type { Page } from '@playwright/test'
import { base58 } from '@scure/base'
import { createPublicClient, http, parseEther, verifyMessage, verifyTypedData } from 'viem'
import { WebSocket } from 'ws'
import { violationsOn } from './support/axe.ts'
import { accountButton, expect, test, type World } from './support/fixtures.ts'
import { askSolana, lamportsOf, transferOf } from './support/solanaTransfer.ts'

// Tests the web wallet in a browser with our client in Node.js as the page, over our relay.

const shop: Metadata = { name: 'Crumb', description: 'A bakery', url: 'https://shop.example', icons: [] }
const chain = 'eip155:31337'
const evmMethods = [
  'personal_sign',
  'eth_sign',
  'eth_sendTransaction',
  'eth_signTransaction',
  'eth_signTypedData_v4',
  'wallet_switchEthereumChain',
  'wallet_getCapabilities',
]
const solanaMethods = ['solana_signMessage', 'solana_signTransaction', 'solana_signAndSendTransaction']
const events = ['chainChanged', 'accountsChanged']

const wanted = ({ facts }: World): ProposedNamespaces => ({
  eip155: { chains: [chain, 'eip155:31338', 'eip155:1'], methods: evmMethods, events },
  solana: { chains: [facts.solana.chainId], methods: solanaMethods, events },
})

/** Creates a page's client, which connects to the local relay. */
function pageAt({ port }: World): Promise<Client> {
  return createClient({
    metadata: shop,
    // Node.js does not resolve subdomains of localhost.
    relay: `ws://127.0.0.1:${port}`,
    projectId: 'local',
    storage: memoryStorage(),
    connect: (url) => new WebSocket(url) as unknown as Socket,
  })
}

/** Returns the address of the first test account, which the wallet uses. */
function firstAccount({ facts }: World): `0x${string}` {
  const [account] = facts.accounts
  if (!account) throw new Error('The environment has no accounts')
  return account.address
}

/** Opens the wallet through a page's connection link. */
async function openLink(page: Page, world: World, uri: string): Promise<void> {
  await page.goto(`${world.facts.wallet}/#/wc?uri=${encodeURIComponent(uri)}`)
}

/** Selects the funded test accounts on the first visit to the wallet. */
async function chooseTestAccounts(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Use the funded test accounts' }).click()
}

/** Waits for the request with the given heading and clicks a button to respond. */
async function answer(page: Page, heading: string, press: string): Promise<void> {
  await expect(page.getByRole('heading', { name: heading })).toBeVisible()
  await page.getByRole('button', { name: press, exact: true }).click()
  await expect(page.getByRole('heading', { name: heading })).toBeHidden()
}

async function connected(page: Page, world: World): Promise<{ client: Client; session: Session }> {
  const client = await pageAt(world)
  const offer = await createProposer(client.rpc, client.sessions).propose({ optionalNamespaces: wanted(world) })
  await openLink(page, world, offer.uri)
  await chooseTestAccounts(page)
  await answer(page, 'Connect?', 'Connect')
  return { client, session: await offer.settled }
}

/** Checks that axe finds no violations and that nothing overflows the screen in either color scheme. */
async function look(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await violationsOn(page)).toEqual([])
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
}

test.use({ viewport: { width: 390, height: 844 } })

test('a page opens the wallet with a link, connects and receives a signature', async ({ page, world }) => {
  const client = await pageAt(world)
  const offer = await createProposer(client.rpc, client.sessions).propose({ optionalNamespaces: wanted(world) })
  await openLink(page, world, offer.uri)
  // The wallet removes the pairing secret from the URL.
  await expect(page).toHaveURL(`${world.facts.wallet}/`)
  await expect(page.getByText('A page is waiting to connect')).toBeVisible()
  await look(page)
  await chooseTestAccounts(page)
  await expect(page.getByText('shop.example')).toBeVisible()
  await look(page)
  await answer(page, 'Connect?', 'Connect')
  const { topic, namespaces } = await offer.settled
  const address = firstAccount(world)
  expect(namespaces.eip155?.accounts).toContain(`${chain}:${address}`)
  // The session excludes chains and methods that the wallet does not support.
  expect(namespaces.eip155?.chains).toEqual([chain, 'eip155:31338'])
  expect(namespaces.eip155?.methods).not.toContain('eth_sign')
  await look(page)

  const params = ['0x68656c6c6f', address]
  const signing = client.sessions.request(topic, { chainId: chain, method: 'personal_sign', params })
  await expect(page.getByRole('region', { name: 'What you sign' })).toHaveText('hello')
  await look(page)
  await answer(page, 'Sign this message?', 'Sign')
  const signature = (await signing) as `0x${string}`
  expect(await verifyMessage({ address, message: 'hello', signature })).toBe(true)

  const refused = client.sessions.request(topic, { chainId: chain, method: 'personal_sign', params })
  refused.catch(() => {})
  await answer(page, 'Sign this message?', 'Reject')
  await expect(refused).rejects.toMatchObject({ code: 5000 })
  client.close()
})

test('the wallet signs typed data, sends transactions, reports the chain’s errors and switches networks', async ({
  page,
  world,
}) => {
  const { client, session } = await connected(page, world)
  const { topic } = session
  const address = firstAccount(world)
  const ask = (method: string, params: unknown) => client.sessions.request(topic, { chainId: chain, method, params })

  const message = { loaves: 2n, to: address }
  const types = {
    Order: [
      { name: 'loaves', type: 'uint256' },
      { name: 'to', type: 'address' },
    ],
  } as const
  const domain = { name: 'Crumb', chainId: 31337, verifyingContract: world.facts.token.address } as const
  const data = JSON.stringify({ types, domain, primaryType: 'Order', message: { loaves: '2', to: address } })
  const typed = ask('eth_signTypedData_v4', [address, data])
  await expect(page.getByRole('heading', { name: 'Sign this data?' })).toBeVisible()
  await look(page)
  await answer(page, 'Sign this data?', 'Sign')
  const signature = (await typed) as `0x${string}`
  expect(await verifyTypedData({ address, types, domain, primaryType: 'Order', message, signature })).toBe(true)

  const node = createPublicClient({ transport: http(world.facts.chains[0].rpcUrls.default.http[0]) })
  const to = '0x00000000000000000000000000000000000000aa'
  const sent = ask('eth_sendTransaction', [{ from: address, to, value: '0x16345785d8a0000' }])
  await expect(page.getByText('0.1 ETH')).toBeVisible()
  await expect(page.getByText('Maximum fee').locator('..')).toContainText('ETH')
  await look(page)
  await answer(page, 'Send this transaction?', 'Send')
  const receipt = await node.waitForTransactionReceipt({ hash: (await sent) as `0x${string}` })
  expect(receipt.status).toBe('success')
  expect(await node.getBalance({ address: to })).toBe(parseEther('0.1'))

  // The wallet warns about insufficient funds and shows the chain's error. Once the user rejects the request, the wallet reports
  // the error to the page.
  const tooMuch = ask('eth_sendTransaction', [{ from: address, to, value: `0x${(10n ** 24n).toString(16)}` }])
  tooMuch.catch(() => {})
  await expect(page.getByText('which is less than the amount and the fee')).toBeVisible()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('Something went wrong')
  await look(page)
  await answer(page, 'Send this transaction?', 'Reject')
  await expect(tooMuch).rejects.toMatchObject({ message: expect.stringMatching(/funds/i) })

  const changed = new Promise((resolve) => client.sessions.on('event', ({ name, data }) => resolve([name, data])))
  const moved = ask('wallet_switchEthereumChain', [{ chainId: '0x7a6a' }])
  await expect(page.getByText('The page wants to switch to Market Chain')).toBeVisible()
  await look(page)
  await answer(page, 'Change the network?', 'Change')
  expect(await moved).toBeNull()
  expect(await changed).toEqual(['chainChanged', 31338])
  client.close()
})

test('on Solana, the wallet signs messages and sends transactions that it can decode', async ({ page, world }) => {
  const { client, session } = await connected(page, world)
  const { topic, namespaces } = session
  const { chainId, url } = world.facts.solana
  const [account = ''] = namespaces.solana?.accounts ?? []
  const pubkey = account.slice(chainId.length + 1)
  const ask = (method: string, params: unknown) =>
    client.sessions.request(topic, { chainId, method, params }) as Promise<{ signature: string }>

  const text = new TextEncoder().encode('Two loaves')
  const signed = ask('solana_signMessage', { message: base58.encode(text), pubkey })
  await answer(page, 'Sign this message?', 'Sign')
  const key = await crypto.subtle.importKey('raw', new Uint8Array(base58.decode(pubkey)), 'Ed25519', true, ['verify'])
  const { signature } = await signed
  expect(await crypto.subtle.verify('Ed25519', key, new Uint8Array(base58.decode(signature)), text)).toBe(true)

  await askSolana(url, 'requestAirdrop', [pubkey, 2_000_000_000])
  const to = base58.encode(crypto.getRandomValues(new Uint8Array(32)))
  const transaction = await transferOf(url, { from: pubkey, to, lamports: 500_000_000 })
  const sent = ask('solana_signAndSendTransaction', { transaction })
  await expect(page.getByText('0.5 SOL')).toBeVisible()
  await look(page)
  await answer(page, 'Send this transaction?', 'Send')
  expect((await sent).signature).toMatch(/^\w{80,90}$/)
  expect(await lamportsOf(url, to)).toBe(500_000_000)
  client.close()
})

const payload = {
  chains: [chain],
  domain: 'shop.example',
  aud: 'https://shop.example/',
  nonce: '0123456789abcdef',
  iat: '2026-11-21T12:00:00.000Z',
  statement: 'Sign in to the shop.',
}

test('the wallet signs the user in with a single request, and warns about a message for a different site [R4.12]', async ({
  page,
  world,
}) => {
  const client = await pageAt(world)
  const proposer = createProposer(client.rpc, client.sessions)
  const asking = { optionalNamespaces: wanted(world), methods: ['personal_sign'] }
  const offer = await proposer.authenticate({ ...asking, payload })
  await openLink(page, world, offer.uri)
  await chooseTestAccounts(page)
  await expect(page.getByRole('region', { name: 'What you sign' }).first()).toContainText('Sign in to the shop.')
  await look(page)
  await answer(page, 'Sign in?', 'Sign in')
  const { cacaos, session } = await offer.settled
  const [cacao] = cacaos
  if (!cacao) throw new Error('The wallet returned no signature')
  const signature = cacao.s.s as `0x${string}`
  const message = messageOf(cacao.p, cacao.p.iss)
  expect(await verifyMessage({ address: firstAccount(world), message, signature })).toBe(true)
  expect(session?.namespaces.eip155?.methods).toEqual(['personal_sign'])

  const stolen = await proposer.authenticate({ ...asking, payload: { ...payload, domain: 'bank.example' } })
  await openLink(page, world, stolen.uri)
  await expect(page.getByRole('alert')).toContainText('This signs you in somewhere else')
  await look(page)
  await answer(page, 'Sign in?', 'Reject')
  await expect(stolen.settled).rejects.toMatchObject({ code: 5000 })
  client.close()
})

test('a connection survives a reload, can be changed and extended, and can be ended by either side', async ({
  page,
  world,
}) => {
  const { client, session } = await connected(page, world)
  const { topic } = session
  await page.reload()
  await page.getByRole('button', { name: /^shop\.example/ }).click()
  await look(page)
  expect(await client.sessions.ping(topic)).toBe(true)

  const received: unknown[] = []
  client.sessions.on('updated', ({ namespaces }) => received.push(namespaces.eip155?.accounts[0]))
  client.sessions.on('event', ({ chainId, name, data }) => chainId.startsWith('eip155') && received.push([name, data]))
  const second = world.facts.accounts[1]?.address
  await page.getByRole('button', { name: /Test account 2/ }).click()
  await expect.poll(() => received).toEqual([`${chain}:${second}`, ['accountsChanged', [second]]])
  await page.getByRole('button', { name: 'Market Chain' }).click()
  await expect.poll(() => received[2]).toEqual(['chainChanged', 31338])
  const extended = new Promise((resolve) => client.sessions.on('extended', resolve))
  await page.getByRole('button', { name: 'Extend by seven days' }).click()
  await extended

  const ended = new Promise((resolve) => client.sessions.on('ended', resolve))
  await page.getByRole('button', { name: 'Disconnect' }).click()
  await ended
  await expect(page.getByText('No page is connected')).toBeVisible()

  const offer = await createProposer(client.rpc, client.sessions).propose({ optionalNamespaces: wanted(world) })
  await openLink(page, world, offer.uri)
  await answer(page, 'Connect?', 'Connect')
  await client.sessions.disconnect((await offer.settled).topic)
  await expect(page.getByText('shop.example has disconnected.')).toBeVisible()
  client.close()
})

test('a user can paste a link; the wallet reports an invalid link, unsupported chains and a missing camera', async ({
  page,
  world,
}) => {
  await page.goto(world.facts.wallet)
  await look(page)
  await page.getByRole('button', { name: 'Create new keys' }).click()
  await expect(page.getByText('No page is connected')).toBeVisible()
  await look(page)
  await page.getByRole('button', { name: 'Account 1' }).click()
  await look(page)
  await page.getByRole('button', { name: 'Back' }).click()

  await page.getByRole('button', { name: 'Connect to a page' }).click()
  await page.getByRole('textbox', { name: 'Connection link' }).fill('https://shop.example')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('This is not a connection link')
  await look(page)

  const client = await pageAt(world)
  const proposer = createProposer(client.rpc, client.sessions)
  const pasted = await proposer.propose({
    optionalNamespaces: { eip155: { chains: ['eip155:1'], methods: [], events } },
  })
  await page.getByRole('textbox', { name: 'Connection link' }).fill(pasted.uri)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByText('The page uses eip155:1')).toBeVisible()
  await look(page)
  await answer(page, 'Cannot connect', 'Reject')
  await expect(pasted.settled).rejects.toMatchObject({ code: 5100 })

  await page.getByRole('button', { name: 'Connect to a page' }).click()
  await page.getByRole('tab', { name: 'Camera' }).click()
  await expect(page.getByText('No camera was found')).toBeVisible()
  await look(page)
  await page.getByRole('tab', { name: 'Picture' }).click()
  await look(page)
  client.close()
})

test('the wallet reads a screenshot of the QR code in the shop’s tab [R1.1]', async ({ page, context, world }) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(world.facts.demo)
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^WalletConnect/ }).click()
  await expect(page.getByRole('img', { name: 'QR code for connecting a wallet' })).toBeVisible()
  const buffer = await page.screenshot({ animations: 'disabled' })

  const wallet = await context.newPage()
  await wallet.goto(world.facts.wallet)
  await chooseTestAccounts(wallet)
  await wallet.getByRole('button', { name: 'Connect to a page' }).click()
  await wallet.getByRole('tab', { name: 'Picture' }).click()
  const file = { name: 'screenshot.png', mimeType: 'image/png', buffer }
  await wallet.getByLabel('Choose a picture of the code').setInputFiles(file)
  await expect(wallet.getByText(new URL(world.facts.demo).host)).toBeVisible()
  await look(wallet)
  await answer(wallet, 'Connect?', 'Connect')
  await expect(accountButton(page)).toContainText('0xf39F')
})

test('only the newest tab runs the wallet, and shows a notice while the relay is unreachable', async ({
  page,
  context,
  world,
}) => {
  const { client, session } = await connected(page, world)
  const newer = await context.newPage()
  let isAway = true
  await newer.routeWebSocket(/connect\.demo\.localhost/, (socket) => {
    if (isAway) void socket.close()
    else socket.connectToServer()
  })
  await newer.goto(world.facts.wallet)
  await expect(page.getByRole('heading', { name: 'Open in another tab' })).toBeVisible()
  await look(page)
  await expect(newer.getByText('Connecting to the relay')).toBeVisible()
  await look(newer)
  isAway = false
  await newer.getByRole('button', { name: 'Try now' }).click()
  await expect(newer.getByText('Connecting to the relay')).toBeHidden()
  expect(await client.sessions.ping(session.topic)).toBe(true)
  client.close()
})
