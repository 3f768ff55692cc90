import {
  type Client,
  createClient,
  createProposer,
  memoryRecords,
  type Offer,
  type Session,
  type Socket,
} from '@latchkey/walletconnect'
import type { Page } from '@playwright/test'
import { verifyMessage } from 'viem'
import { WebSocket } from 'ws'
import { expect, test, type World } from './support/test.ts'

// Our page in Node against the web wallet in a browser, over our relay.

const metadata = { name: 'Crumb', description: 'A bakery', url: 'https://shop.example', icons: [] }
const chain = 'eip155:31337'

const optionalNamespaces = {
  eip155: {
    chains: [chain, 'eip155:31338', 'eip155:1'],
    methods: ['personal_sign', 'eth_sign', 'eth_sendTransaction', 'eth_signTypedData_v4', 'wallet_switchEthereumChain'],
    events: ['chainChanged', 'accountsChanged'],
  },
}

/** A page at the relay. */
function pageAt({ port }: World): Promise<Client> {
  return createClient({
    metadata,
    // Node knows no names under localhost.
    relay: `ws://127.0.0.1:${port}`,
    projectId: 'local',
    records: memoryRecords(),
    connect: (url) => new WebSocket(url) as unknown as Socket,
  })
}

/** Opens the wallet as a link of a page does. */
async function openLink(page: Page, world: World, uri: string): Promise<void> {
  await page.goto(`${world.facts.wallet}/#/wc?uri=${encodeURIComponent(uri)}`)
}

/** The wallet's first visit, with accounts that have money. */
async function chooseTestAccounts(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Use the funded test accounts' }).click()
}

async function connected(page: Page, world: World): Promise<{ client: Client; session: Session }> {
  const client = await pageAt(world)
  const offer: Offer<Session> = await createProposer(client.peer, client.sessions).propose({ optionalNamespaces })
  await openLink(page, world, offer.uri)
  await chooseTestAccounts(page)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  return { client, session: await offer.answered }
}

test.use({ viewport: { width: 390, height: 844 } })

test('a page that opens the wallet by link is connected, and gets a signature', async ({ page, world }) => {
  const { client, session } = await connected(page, world)
  const [account] = world.facts.accounts
  if (!account) throw new Error('The world has accounts')
  expect(session.namespaces.eip155?.accounts).toContain(`${chain}:${account.address}`)
  // What it does not have or do is not in it.
  expect(session.namespaces.eip155?.chains).toEqual([chain, 'eip155:31338'])
  expect(session.namespaces.eip155?.methods).not.toContain('eth_sign')
  // The secret is in no address bar.
  expect(page.url()).toBe(`${world.facts.wallet}/`)

  const asked = client.sessions.request(session.topic, {
    chainId: chain,
    method: 'personal_sign',
    params: ['0x68656c6c6f', account.address],
  })
  await expect(page.getByRole('heading', { name: 'Sign this message?' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'What you sign' })).toHaveText('hello')
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  const signature = (await asked) as `0x${string}`
  expect(await verifyMessage({ address: account.address, message: 'hello', signature })).toBe(true)
  client.close()
})
