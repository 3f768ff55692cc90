import type { Page } from '@playwright/test'
import type { Hex } from 'viem'
import { accountButton, expect, type World } from './fixtures.ts'
import { codeFor } from './framePage.ts'

/** Opens the host page with the embedded wallet, and logs a new user in through the modal. Resolves to the user's address. */
export async function logInToHostPage(
  page: Page,
  world: World,
  { name, type = 'eoa', options = {} }: { name: string; type?: 'eoa' | 'smartAccount'; options?: object },
): Promise<Hex> {
  const query = new URLSearchParams({
    frame: world.facts.keys,
    options: JSON.stringify({ defaultAccountTypes: { eip155: type }, ...options }),
  })
  await page.goto(`http://pages.demo.localhost:${world.port}/hostPage.html?${query}`)
  await logInWithModal(page, world, `${name}-${Date.now().toString(36)}@host.example`)
  const status = await page.getByRole('status', { name: 'Status' }).textContent()
  return /0x[\da-f]{40}/i.exec(status ?? '')?.[0] as Hex
}

/** Logs in on the open page through the modal, with the code from the inbox. */
export async function logInWithModal(page: Page, world: World, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Connect' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: /mail/i }).fill(email)
  await page.keyboard.press('Enter')
  await expect(dialog.getByText(email)).toBeVisible()
  await page.keyboard.type(await codeFor(world, email))
  await expect(accountButton(page)).toBeVisible({ timeout: 20_000 })
}
