import type { Page } from '@playwright/test'
import { createPublicClient, getAddress, http } from 'viem'
import { logInToHostPage } from './support/embeddedLogin.ts'
import { accountButton, connectWith, disconnect, expect, test, type World } from './support/fixtures.ts'
import { approve } from './support/framePage.ts'
import { chainOf } from './support/localChain.ts'

// Account names: registered with the embedded wallet, shown in the modal, and found by others.

// biome-ignore lint/correctness/noEmptyPattern: Playwright requires the destructuring pattern
test.use({ allowedConsole: async ({}, use) => use([/status of (401|404|422)/, /Unrecognized feature: 'bluetooth'/]) })

const namesOf = ({ facts }: World) => {
  if (!facts.names) throw new Error('The environment has no ENS.')
  return facts.names
}

/** Declares the first chain to be a main network with ENS. Names are not looked up on test networks. */
async function useMainNetwork(page: Page, world: World): Promise<void> {
  const [home, ...others] = world.facts.chains
  const contracts = { ensUniversalResolver: { address: namesOf(world).universalResolver } }
  const chains = [{ ...home, testnet: false, contracts }, ...others]
  await page.route('**/environment.json', (route) => route.fulfill({ json: { ...world.facts, chains } }))
}

/** Sends a request as a client that knows nothing but the specified API. */
async function ask(world: World, path: string): Promise<unknown> {
  return (await fetch(`http://127.0.0.1:${world.port}${path}`)).json()
}

test('a name is registered with the embedded wallet, shown in the modal, and found by the page, other clients of the server and ENS [R2.1]', async ({
  page,
  world,
}) => {
  test.setTimeout(180_000)
  const { zone, universalResolver } = namesOf(world)
  const label = `alice-${Date.now().toString(36)}`
  const name = `${label}.${zone}`
  await useMainNetwork(page, world)
  const owner = await logInToHostPage(page, world, { name: 'names' })
  const status = page.getByRole('status', { name: 'Status' })
  const url = page.url()
  const shown = await status.textContent()

  const dialog = page.getByRole('dialog')
  await accountButton(page).click()
  await dialog.getByRole('button', { name: 'Settings' }).click()
  await dialog.getByRole('button', { name: /^Account name/ }).click()
  await expect(dialog.getByRole('heading', { name: 'Get an account name' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Choose a name' }).click()
  await expect(dialog.getByRole('heading', { name: 'Choose a name' })).toBeVisible()
  const field = dialog.getByRole('textbox', { name: 'Name' })
  await field.fill('admin')
  await expect(dialog.getByText(`admin.${zone} is not available.`)).toBeVisible()
  await field.fill(label)
  await expect(dialog.getByText(`${name} is available.`).first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Register name' }).click()
  await approve(page.frameLocator('iframe'), 'Sign')

  await expect(dialog.getByRole('heading', { name: 'Name registered' })).toBeVisible()
  await expect(dialog.getByText(`${name} is now`)).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog.getByText(name)).toBeVisible()
  await dialog.getByRole('button', { name: 'Settings' }).click()
  await expect(dialog.getByText(name)).toBeVisible()
  // Neither the URL of the page nor the address of the account depends on the name.
  expect(page.url()).toBe(url)
  expect(await status.textContent()).toBe(shown)

  const profile = { name, addresses: { '2147514985': { address: owner } } }
  expect(await ask(world, `/v1/profile/account/${name}?projectId=local`)).toMatchObject(profile)
  expect(await ask(world, `/v1/profile/reverse/${owner}?projectId=local`)).toMatchObject([profile])
  expect(await ask(world, `/v1/identity/${owner}?projectId=local`)).toMatchObject({ name })
  const ens = createPublicClient({
    chain: world.facts.chains[0],
    transport: http(),
    // Node does not resolve the host name of the server.
    ccipRead: {
      request: async ({ urls: [gateway = ''], sender, data }) => {
        const path = gateway.replace('{sender}', sender).replace('{data}', data).replace(world.facts.connect, '')
        const answer = await fetch(`http://127.0.0.1:${world.port}${path}`)
        return ((await answer.json()) as { data: `0x${string}` }).data
      },
    },
  })
  const query = { name, universalResolverAddress: universalResolver }
  expect(getAddress((await ens.getEnsAddress({ ...query, coinType: 2147514985n })) ?? '0x')).toBe(owner)

  // The page finds the address when someone sends to the name.
  await dialog.getByRole('button', { name: 'Back' }).click()
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Recipient' }).fill(name)
  await expect(dialog.getByText(new RegExp(`${owner.slice(-4)}`, 'i')).first()).toBeVisible()
  await page.reload()
  await accountButton(page).click()
  await expect(dialog.getByText(name)).toBeVisible()
})

test('ether that is sent to a registered name arrives', async ({ page, world, withWallets }) => {
  test.setTimeout(180_000)
  const { zone } = namesOf(world)
  const label = `bob-${Date.now().toString(36)}`
  const name = `${label}.${zone}`
  const chain = chainOf(world)
  await useMainNetwork(page, world)
  await withWallets({ name: 'Ada Wallet' })
  const owner = await logInToHostPage(page, world, { name: 'test-names' })
  const dialog = page.getByRole('dialog')
  await accountButton(page).click()
  await dialog.getByRole('button', { name: 'Settings' }).click()
  await dialog.getByRole('button', { name: /^Account name/ }).click()
  await dialog.getByRole('button', { name: 'Choose a name' }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill(label)
  await expect(dialog.getByText(`${name} is available.`).first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Register name' }).click()
  await approve(page.frameLocator('iframe'), 'Sign')
  await expect(dialog.getByRole('heading', { name: 'Name registered' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog.getByText(name)).toBeVisible()

  await disconnect(page)
  await expect(dialog).toBeHidden()
  await connectWith(page, 'Ada Wallet')
  await accountButton(page).click()
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog.getByRole('textbox', { name: /^Amount in/ }).fill('0.3')
  await dialog.getByRole('textbox', { name: 'Recipient' }).fill(name)
  await dialog.getByRole('button', { name: 'Review send' }).click()
  await expect(dialog.getByText(name).first()).toBeVisible()
  const before = await chain.getBalance({ address: owner })
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(dialog.getByText(/^0\.3.ETH sent$/)).toBeVisible({ timeout: 30_000 })
  expect((await chain.getBalance({ address: owner })) - before).toBe(300_000_000_000_000_000n)
})

test('ether is sent to the address of an ENS name', async ({ page, pages, world, withWallets }) => {
  const chain = chainOf(world)
  const { example } = namesOf(world)
  await useMainNetwork(page, world)
  await withWallets({ name: 'Ada Wallet' })
  await page.goto(`${pages}/hostPage.html`)
  await connectWith(page, 'Ada Wallet')
  await accountButton(page).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog.getByRole('textbox', { name: /^Amount in/ }).fill('0.2')
  await dialog.getByRole('textbox', { name: 'Recipient' }).fill(example.name)
  await dialog.getByRole('button', { name: 'Review send' }).click()
  await expect(dialog.getByText(example.name).first()).toBeVisible()
  const before = await chain.getBalance({ address: example.address })
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(dialog.getByText(/^0\.2.ETH sent$/)).toBeVisible({ timeout: 30_000 })
  expect((await chain.getBalance({ address: getAddress(example.address) })) - before).toBe(200_000_000_000_000_000n)
})
