import { expect, type FrameLocator, type Page } from '@playwright/test'
import { type FramePage, pressAsPerson } from './framePage.ts'

// Helpers for the window at the keys origin that the frame opens if the page is on a different site.

/** Clicks the frame's button to open the window. Resolves to the window. */
export async function openFrom(
  page: Page,
  frame: FrameLocator,
  name = /^(Continue in a window|Open the window again)$/,
): Promise<Page> {
  const opened = await pressToOpen(page, frame, name)
  await opened.waitForURL(({ pathname }) => pathname === '/continue')
  return opened
}

/** Like `openFrom()`, but for a window that might immediately redirect to a social provider. */
export async function pressToOpen(
  page: Page,
  frame: FrameLocator,
  name = /^(Continue in a window|Open the window again)$/,
): Promise<Page> {
  const opening = page.context().waitForEvent('page', { timeout: 30_000 })
  await frame.getByRole('button', { name }).click()
  return opening
}

export const openWindow = (framePage: FramePage): Promise<Page> => openFrom(framePage.page, framePage.frame)

/** Signs in with the code that was emailed at the window's request. */
export async function signIn(opened: Page, code: () => string | Promise<string>): Promise<void> {
  const field = opened.getByLabel('6-digit code')
  await expect(field).toBeVisible()
  // The sixth digit submits the code.
  await field.fill(await code())
}

/** Logs in by email in the window. Resolves to the user's account on the local chain. */
export async function logInByEmail(framePage: FramePage, email: string, code: () => string | Promise<string>) {
  await framePage.begin('in', 'CONNECT_WINDOW', { email })
  const opened = await openWindow(framePage)
  await expect(opened.getByText(new URL(framePage.page.url()).host).first()).toBeVisible()
  await signIn(opened, code)
  await approve(opened, 'Connect')
  expect((await framePage.response('in')).type).toBe('@w3m-frame/CONNECT_WINDOW_SUCCESS')
  return userOf(framePage)
}

/** Resolves to the user's account on the local chain. */
export async function userOf(framePage: FramePage) {
  const { payload } = await framePage.request('GET_USER', { chainId: 31337 })
  return payload as { address: `0x${string}`; email: string | null }
}

export async function approve(opened: Page, name: string): Promise<void> {
  const button = opened.getByRole('button', { name, exact: true })
  await expect(button).toBeVisible()
  await expectUncovered(opened)
  await pressAsPerson(button)
}

/** Checks that nothing in the window covers the request's heading or the requesting page. */
export async function expectUncovered(opened: Page): Promise<void> {
  await opened.getByRole('heading', { level: 1 }).click({ trial: true })
  await opened.locator('.origin').click({ trial: true })
}
