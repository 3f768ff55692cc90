import { webcrypto } from 'node:crypto'
import type { Page } from '@playwright/test'
import { base58 } from '@scure/base'
import { type Hex, verifyMessage } from 'viem'
import { expect, test, type World } from './support/fixtures.ts'
import { approve, codeFor } from './support/framePage.ts'
import { askSolana, lamportsOf } from './support/solanaTransfer.ts'

// Unmodified pages that use other wallet kits discover the announced embedded wallet, connect it and sign with it.

test.use({
  // The browser logs a 401 response when the user is not signed in. The kits also request hosts that tests cannot reach.
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires the destructuring pattern
  allowedConsole: async ({}, use) =>
    use([/status of (401|422)/, /Unrecognized feature: 'bluetooth'/, /fonts\.googleapis\.com/, /ethereum\.reth\.rs/]),
})

const addressOf = (world: World, kit: string): string => `http://kits.demo.localhost:${world.port}/${kit}.html`
const loaf = 'One loaf, please'
const shop = '5ZWj7a1f8tWkjBESHKgrLmXshuXxqeY9SYcfbshpAqPG'

/** Logs in by email in the modal that opened on top of the kit, and checks that the modal offers no other wallets. */
async function logIn(page: Page, world: World, kit: string): Promise<void> {
  const email = `${kit}-${Date.now().toString(36)}@kits.example`
  const dialog = page.getByRole('dialog', { name: 'Connect a wallet' })
  await expect(dialog.getByRole('list', { name: 'Wallets' })).toHaveCount(0)
  await dialog.getByRole('textbox', { name: /mail/i }).fill(email)
  await page.keyboard.press('Enter')
  await expect(page.getByText(email)).toBeVisible()
  await page.keyboard.type(await codeFor(world, email))
}

interface Kit {
  /** Opens the kit's own wallet list, if it has one, and selects the embedded wallet. */
  pick(page: Page): Promise<void>
  leave(page: Page): Promise<void>
}

const kits: Readonly<Record<string, Kit>> = {
  rainbowkit: {
    async pick(page) {
      await page.getByRole('button', { name: 'Connect Wallet', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Latchkey' }).click()
    },
    async leave(page) {
      await page.getByTestId('rk-account-button').click()
      await page.getByRole('button', { name: 'Disconnect' }).click()
    },
  },
  connectkit: {
    async pick(page) {
      await page.getByRole('button', { name: 'Connect Wallet', exact: true }).click()
      await page.getByRole('button', { name: 'Latchkey' }).click()
    },
    async leave(page) {
      await page.getByRole('button', { name: /^0x/ }).click()
      await page.getByRole('button', { name: 'Disconnect' }).click()
    },
  },
  wagmi: {
    pick: (page) => page.getByRole('button', { name: 'Latchkey' }).click(),
    leave: (page) => page.getByRole('button', { name: 'Disconnect' }).click(),
  },
}

for (const [kit, { pick, leave }] of Object.entries(kits))
  test(`a page that uses ${kit} discovers the embedded wallet, connects, signs, reconnects and disconnects`, async ({
    page,
    world,
  }) => {
    test.setTimeout(120_000)
    const account = page.getByLabel('Account', { exact: true })
    await page.goto(addressOf(world, kit))
    await expect(account).toHaveText('disconnected')
    await pick(page)
    await logIn(page, world, kit)
    await expect(account).toHaveText(/^connected 0x\w{40} 31337 Latchkey$/, { timeout: 20_000 })
    const address = /0x\w{40}/.exec((await account.textContent()) ?? '')?.[0] as Hex

    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await approve(page.frameLocator('iframe'), 'Sign')
    const signed = page.getByLabel('Signature')
    await expect(signed).toHaveText(/^0x[0-9a-f]{130,}$/)
    const signature = (await signed.textContent()) as Hex
    expect(await verifyMessage({ address, message: loaf, signature })).toBe(true)
    expect(await verifyMessage({ address, message: `${loaf}!`, signature })).toBe(false)
    await page.getByRole('button', { name: 'Switch', exact: true }).click()
    await expect(account).toHaveText(/^connected 0x\w{40} 31338 Latchkey$/)

    await page.reload()
    await expect(account).toHaveText(/^connected 0x\w{40} 31338 Latchkey$/, { timeout: 20_000 })
    await leave(page)
    await expect(account).toHaveText('disconnected')
    await expect(page.getByRole('region', { name: 'Latchkey' }).getByRole('button')).toHaveText('Connect wallet')
    await page.reload()
    await expect(page.getByRole('region', { name: 'Latchkey' }).getByRole('button')).toHaveText('Connect wallet')
    await expect(account).toHaveText('disconnected')
  })

test('a page that uses Solana’s wallet-adapter discovers the embedded wallet, connects, signs, pays and reconnects', async ({
  page,
  world,
}) => {
  test.setTimeout(120_000)
  const account = page.getByLabel('Account', { exact: true })
  await page.goto(addressOf(world, 'walletAdapter'))
  await page.getByRole('button', { name: 'Select Wallet' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Latchkey' }).click()
  await logIn(page, world, 'solana')
  await expect(account).toHaveText(/^\w{32,44}$/, { timeout: 20_000 })
  const address = (await account.textContent()) as string

  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  await approve(page.frameLocator('iframe'), 'Sign')
  const output = page.getByLabel('Signature')
  await expect(output).toHaveText(/^[0-9a-f]{128}$/)
  const key = await webcrypto.subtle.importKey('raw', base58.decode(address), 'Ed25519', false, ['verify'])
  const signature = Buffer.from((await output.textContent()) as string, 'hex')
  expect(await webcrypto.subtle.verify('Ed25519', key, signature, new TextEncoder().encode(loaf))).toBe(true)

  await askSolana(world.facts.solana.url, 'requestAirdrop', [address, 2_000_000_000])
  const before = await lamportsOf(world.facts.solana.url, shop)
  await page.getByRole('button', { name: 'Pay half a SOL' }).click()
  await approve(page.frameLocator('iframe'), 'Approve')
  await expect(output).toHaveText(/^Paid \w{80,}$/)
  expect(await lamportsOf(world.facts.solana.url, shop)).toBe(before + 500_000_000)

  await page.reload()
  await expect(account).toHaveText(address, { timeout: 20_000 })
})
