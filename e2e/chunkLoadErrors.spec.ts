import { connectWith, expect, test } from './support/fixtures.ts'

for (const [what, file] of [
  ['modal', '**/Modal-*.js'],
  ['runtime', '**/latchkeyRuntime-*.js'],
  ['connection runtime', '**/connectionRuntime-*.js'],
] as const) {
  test(`if the ${what} fails to load, the button shows an error, and the next click retries`, async ({
    page,
    world,
    withWallets,
    allowedConsole,
  }) => {
    allowedConsole.push(/Failed to load resource|did not load/)
    await withWallets({ name: 'Ada Wallet' })
    await page.route(file, (route) => route.abort('connectionreset'))
    await page.goto(world.facts.demo)
    await page.getByRole('button', { name: 'Connect wallet' }).click()
    const failed = page.getByRole('button', { name: 'Could not load. Try again' })
    await expect(failed).toBeVisible()
    await expect(failed).toHaveAttribute('aria-live', 'polite')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    // A click while the file is still unreachable retries and fails again.
    const tried = page.waitForRequest(file)
    await failed.click()
    await tried
    await expect(failed).toBeVisible()

    await page.unroute(file)
    await failed.click()
    await expect(page.getByRole('dialog', { name: 'Connect a wallet' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(failed).toHaveCount(0)
    await connectWith(page, 'Ada Wallet')
  })
}
