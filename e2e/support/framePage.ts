import { expect, type FrameLocator, type Locator, type Page } from '@playwright/test'
import type { World } from './fixtures.ts'

/** A response from the frame. */
export interface FrameResponse {
  readonly type: string
  readonly id?: string
  // biome-ignore lint/suspicious/noExplicitAny: tests access arbitrary fields.
  readonly payload?: any
}

/** Controls a page that communicates with the frame through window messages. */
export interface FramePage {
  readonly page: Page
  readonly frame: FrameLocator
  request(name: string, payload?: unknown, id?: string): Promise<FrameResponse>
  /** Starts a wallet request without waiting for the user. `response(key)` resolves to the response. */
  start(key: string, payload: unknown, id?: string): Promise<void>
  response(key: string): Promise<FrameResponse>
  /** Starts any other request without waiting for the response. */
  begin(key: string, name: string, payload?: unknown): Promise<void>
  /** Logs in by email with the code from the inbox. Resolves to the response that contains the user's account. */
  logIn(email: string): Promise<FrameResponse>
}

/** Opens the page in the local environment and waits for READY. */
export function openFramePage(page: Page, world: World): Promise<FramePage> {
  return openFramePageAt(page, {
    pages: `http://pages.demo.localhost:${world.port}`,
    codeFor: (email) => codeFor(world, email),
  })
}

/** Opens the page at the origin `pages` and reads emailed codes with `codeFor`. */
export async function openFramePageAt(
  page: Page,
  {
    pages,
    chain,
    codeFor,
  }: { readonly pages: string; readonly chain?: string; codeFor(email: string): string | Promise<string> },
): Promise<FramePage> {
  await page.goto(`${pages}/withoutSdk.html${chain ? `?chain=${chain}` : ''}`)
  await page.waitForFunction(() => window.framePage !== undefined)
  await page.evaluate(() => window.framePage.ready)
  const framePage: FramePage = {
    page,
    frame: page.frameLocator('iframe'),
    request: (name, payload, id) =>
      page.evaluate(([name, payload, id]) => window.framePage.request(name, payload, id), [
        name,
        payload,
        id,
      ] as const) as Promise<FrameResponse>,
    start: (key, payload, id) =>
      page.evaluate(([key, payload, id]) => window.framePage.start(key, 'RPC_REQUEST', payload, id), [
        key,
        payload,
        id,
      ] as const),
    begin: (key, name, payload) =>
      page.evaluate(([key, name, payload]) => window.framePage.start(key, name, payload), [
        key,
        name,
        payload,
      ] as const),
    response: (key) => page.evaluate((key) => window.framePage.responses[key], key) as Promise<FrameResponse>,
    async logIn(email) {
      await framePage.request('CONNECT_EMAIL', { email })
      await framePage.request('CONNECT_OTP', { otp: await codeFor(email) })
      return framePage.request('GET_USER', { chainId: 31337 })
    },
  }
  return framePage
}

/** Clicks the frame's button to open the approval window. Resolves to the window. */
export async function openApproval(
  frame: FrameLocator,
  name: string | RegExp = /^(Continue in a window|Open the window again)$/,
): Promise<Page> {
  const page = frame.owner().page()
  const button = frame.getByRole('button', { name })
  const opening = page.context().waitForEvent('page', { timeout: 60_000 })
  await button.click()
  const approval = await opening
  await approval.waitForURL((url) => url.pathname === '/approve')
  return approval
}

/**
 * Approves the request in the open window as a user with a mouse would. Scrolls to the end, waits until the button is enabled,
 * moves the pointer onto it from outside and clicks once. Confirms a second time if necessary.
 */
export async function approveIn(approval: Page, name: 'Sign' | 'Approve' | 'Revoke'): Promise<void> {
  const button = approval.getByRole('button', { name, exact: true })
  // The first response from a bundler can be slow.
  await expect(button).toBeVisible({ timeout: 90_000 })
  const confirm = approval.getByRole('button', { name: 'Confirm', exact: true })
  /** Whether the window has taken the press: it is done, busy, or asks for a second confirmation. */
  const isPressed = async (): Promise<boolean> =>
    approval.isClosed() ||
    (await confirm.isVisible()) ||
    (await button.getAttribute('aria-busy', { timeout: 1_000 })) === 'true'
  // Data from the network can arrive after scrolling, even between the pointer's way and the click. The window then ignores the
  // click, and a user scrolls and clicks again.
  await expect(async () => {
    if (await isPressed()) return
    await readToTheEnd(approval)
    await expect(button).not.toHaveAttribute('aria-disabled', 'true', { timeout: 5_000 })
    await pressAsPerson(button)
    await expect(async () => expect(await isPressed()).toBe(true)).toPass({ timeout: 5_000 })
  }).toPass({ timeout: 90_000 })
  if (approval.isClosed() || !(await confirm.isVisible().catch(() => false))) return
  await pressAsPerson(confirm)
}

/** Opens the approval window and approves the request in it. */
export async function approve(frame: FrameLocator, name: 'Sign' | 'Approve' | 'Revoke'): Promise<void> {
  await approveIn(await openApproval(frame), name)
}

/** Scrolls through the page so that every part of it has been visible. */
export async function readToTheEnd(approval: Page): Promise<void> {
  const { height } = approval.viewportSize() ?? { height: 700 }
  const length = await approval.evaluate(() => document.documentElement.scrollHeight)
  for (let at = 0; at <= length; at += height / 3)
    await approval.evaluate(async (top) => {
      window.scrollTo(0, top)
      // The page handles the scroll event in the next frame.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    }, at)
}

/** Waits until the button is enabled, moves the pointer onto it from outside, and clicks once. */
export async function pressAsPerson(button: Locator): Promise<void> {
  await expect(button).not.toHaveAttribute('aria-disabled', 'true')
  const box = await button.boundingBox()
  if (!box) throw new Error('The button is not visible.')
  const { mouse } = button.page()
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await mouse.move(x, Math.max(y - 160, 1))
  // Wait between the moves, because a busy browser merges moves within a frame. A user's moves take longer.
  await button.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  await mouse.move(x, y, { steps: 8 })
  await mouse.down()
  await mouse.up()
}

/** Resolves to the eight groups of the recovery code that is shown. */
export function recoveryCode(frame: FrameLocator | Page): Promise<readonly string[]> {
  return textsOf(frame.getByRole('group', { name: 'Recovery code' }).locator('span'), 8)
}

/** Waits until there are `count` elements, in case of a slow render, and resolves to their texts. */
export async function textsOf(elements: Locator, count: number): Promise<readonly string[]> {
  await expect(elements).toHaveCount(count)
  return elements.allTextContents()
}

/** Resolves to the newest code that was sent to `email`. */
export async function codeFor(world: World, email: string): Promise<string> {
  const [newest] = await mailsTo(world, email)
  const code = newest?.text.match(/^\d{6}$/m)?.[0]
  if (!code) throw new Error(`No code was emailed to ${email}: ${newest?.text.slice(0, 300) ?? 'no mail'}`)
  return code
}

/** Resolves to the emails in the inbox of `email`, newest first. */
export async function mailsTo(world: World, email: string): Promise<readonly { subject: string; text: string }[]> {
  // Node does not resolve `*.localhost`, so the host name is only used in the Host header.
  const { request } = await import('node:http')
  const text = await new Promise<string>((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port: world.port,
        path: `/mails.json?to=${encodeURIComponent(email)}`,
        headers: { host: `mail.demo.localhost:${world.port}` },
      },
      async (answer) => {
        let body = ''
        for await (const chunk of answer) body += chunk
        resolve(body)
      },
    )
    outgoing.on('error', reject)
    outgoing.end()
  })
  return JSON.parse(text)
}
