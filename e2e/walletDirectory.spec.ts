import type { Page, Route } from '@playwright/test'
import { expect, test } from './support/fixtures.ts'

const faults: Record<string, (route: Route) => Promise<void>> = {
  'is down': (route) => route.abort('connectionrefused'),
  'returns 500': (route) => route.fulfill({ status: 500, body: '{}' }),
  'returns invalid JSON': (route) =>
    route.fulfill({ contentType: 'application/json', headers: open, body: '{"data":[{"id":"' }),
  'returns wrong types': (route) =>
    route.fulfill({ contentType: 'application/json', headers: open, body: '{"count":"many","data":{"0":null}}' }),
  'returns a huge page': (route) =>
    route.fulfill({
      contentType: 'application/json',
      headers: open,
      body: `{"count":1,"data":[{"id":"${'x'.repeat(9_000_000)}"}]}`,
    }),
}
const open = { 'access-control-allow-origin': '*' }

for (const [name, fault] of Object.entries(faults)) {
  test(`if the directory ${name}, the modal opens, reports the error and can retry [R7.3]`, async ({
    page,
    pages,
    world,
    withWallets,
    allowedConsole,
  }) => {
    allowedConsole.push(/Failed to load resource|net::ERR_|blocked by CORS|No Latchkey server responds/)
    await withWallets({ name: 'Ada Wallet' })
    await page.route(`${world.facts.connect}/getWallets*`, fault)
    await page.goto(`${pages}/hostPage.html`)
    const dialog = await openAllWallets(page)
    const alert = dialog.getByRole('alert')
    await expect(alert).toContainText('Could not load more wallets.')
    await expect(alert).toContainText(/The server|Something/)
    await expect(dialog.getByRole('button', { name: /^Ada Wallet/ })).toBeVisible()
    await page.unroute(`${world.facts.connect}/getWallets*`)
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await expect(dialog.getByRole('button', { name: /MetaMask/ })).toBeVisible()
  })
}

test('a user can connect an installed wallet while the directory is loading [R7.3]', async ({
  page,
  pages,
  world,
  withWallets,
}) => {
  await withWallets({ name: 'Ada Wallet' })
  const routes: Route[] = []
  await page.route(`${world.facts.connect}/**`, (route) => void routes.push(route))
  await page.goto(`${pages}/hostPage.html`)
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Ada Wallet/ })
    .click()
  await expect(page.getByLabel('Status')).toContainText('connected 0xf39F')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('a directory search finds a wallet, or reports that no wallet was found [R7.3] [R5.9]', async ({
  page,
  pages,
}) => {
  await page.goto(`${pages}/hostPage.html`)
  const dialog = await openAllWallets(page)
  await dialog.getByRole('textbox', { name: 'Search wallets' }).fill('  rainbow ')
  await expect(dialog.getByRole('button', { name: /Rainbow/ })).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Search wallets' }).fill('nothing is called this')
  await expect(dialog.getByText('No wallet found')).toBeVisible()
})

async function openAllWallets(page: Page): Promise<ReturnType<Page['getByRole']>> {
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^All wallets/ }).click()
  return dialog
}
