import { expect, type FrameLocator, type Locator, type Page } from '@playwright/test'
import type { World } from './fixtures.ts'

/** An answer of the frame. */
export interface FrameResponse {
  readonly type: string
  readonly id?: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read into it.
  readonly payload?: any
}

/** Drives a page that speaks to the frame by plain messages. */
export interface FramePage {
  readonly page: Page
  readonly frame: FrameLocator
  ask(name: string, payload?: unknown, id?: string): Promise<FrameResponse>
  /** A wallet request, without waiting for the visitor; the answer comes with `answer`. */
  start(key: string, payload: unknown, id?: string): Promise<void>
  answer(key: string): Promise<FrameResponse>
  /** Another question, without waiting for its answer. */
  begin(key: string, name: string, payload?: unknown): Promise<void>
  /** Signs in by e-mail, with the code from the inbox; answers with the user on the local chain. */
  logIn(email: string): Promise<FrameResponse>
}

/** Opens the page of the world and waits for READY. */
export function openFramePage(page: Page, world: World): Promise<FramePage> {
  return openFramePageAt(page, {
    pages: `http://pages.demo.localhost:${world.port}`,
    codeFor: (email) => codeFor(world, email),
  })
}

/** Opens the page at another place, whose mails are read with `codeFor`. */
export async function openFramePageAt(
  page: Page,
  {
    pages,
    chain,
    codeFor,
  }: { readonly pages: string; readonly chain?: string; codeFor(email: string): string | Promise<string> },
): Promise<FramePage> {
  await page.goto(`${pages}/wire.html${chain ? `?chain=${chain}` : ''}`)
  await page.waitForFunction(() => window.wire !== undefined)
  await page.evaluate(() => window.wire.ready)
  const wire: FramePage = {
    page,
    frame: page.frameLocator('iframe'),
    ask: (name, payload, id) =>
      page.evaluate(([name, payload, id]) => window.wire.ask(name, payload, id), [
        name,
        payload,
        id,
      ] as const) as Promise<FrameResponse>,
    start: (key, payload, id) =>
      page.evaluate(([key, payload, id]) => window.wire.start(key, 'RPC_REQUEST', payload, id), [
        key,
        payload,
        id,
      ] as const),
    begin: (key, name, payload) =>
      page.evaluate(([key, name, payload]) => window.wire.start(key, name, payload), [key, name, payload] as const),
    answer: (key) => page.evaluate((key) => window.wire.later[key], key) as Promise<FrameResponse>,
    async logIn(email) {
      await wire.ask('CONNECT_EMAIL', { email })
      await wire.ask('CONNECT_OTP', { otp: await codeFor(email) })
      return wire.ask('GET_USER', { chainId: 31337 })
    },
  }
  return wire
}

/** Opens the window in which what the frame shows is approved, as a person does. */
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
 * Approves in the open window as a hand with a mouse does: it reads to the end, comes in from outside of the button, waits for it, and
 * presses once; where a second confirmation is asked for, that as well.
 */
export async function approveIn(approval: Page, name: 'Sign' | 'Approve' | 'Revoke'): Promise<void> {
  const button = approval.getByRole('button', { name, exact: true })
  // A bundler's first answer takes its time.
  await expect(button).toBeVisible({ timeout: 90_000 })
  // What the network says may come after the first reading, also just before the press: then it has to be read again.
  let isPressed = false
  await expect(async () => {
    if (isPressed) return
    await readToTheEnd(approval)
    await expect(button).not.toHaveAttribute('aria-disabled', 'true', { timeout: 5_000 })
    await pressAsPerson(button, () => {
      isPressed = true
    })
  }).toPass({ timeout: 90_000 })
  const confirm = approval.getByRole('button', { name: 'Confirm', exact: true })
  // Either the window has its answer, or it asks a second time.
  await expect(async () => {
    expect(
      approval.isClosed() || (await confirm.isVisible()) || (await button.getAttribute('aria-busy')) === 'true',
    ).toBe(true)
  }).toPass({ timeout: 15_000 })
  if (approval.isClosed() || !(await confirm.isVisible().catch(() => false))) return
  await pressAsPerson(confirm)
}

/** Says yes in the wallet: continues in the window, and approves there. */
export async function approve(frame: FrameLocator, name: 'Sign' | 'Approve' | 'Revoke'): Promise<void> {
  await approveIn(await openApproval(frame), name)
}

/** Scrolls through what stands there, so that all of it was on screen. */
export async function readToTheEnd(approval: Page): Promise<void> {
  const { height } = approval.viewportSize() ?? { height: 700 }
  const length = await approval.evaluate(() => document.documentElement.scrollHeight)
  for (let at = 0; at <= length; at += height / 3)
    await approval.evaluate(async (top) => {
      window.scrollTo(0, top)
      // The page hears of a scroll with the next frame.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    }, at)
}

/** A mouse that comes in from outside of the button, once the button counts, and presses it once. */
export async function pressAsPerson(button: Locator, pressing: () => void = () => {}): Promise<void> {
  await expect(button).not.toHaveAttribute('aria-disabled', 'true')
  const box = await button.boundingBox()
  if (!box) throw new Error('The button is nowhere.')
  const { mouse } = button.page()
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await mouse.move(x, Math.max(y - 160, 1))
  // A browser that is busy makes one move of all that fall into one frame; a hand takes longer.
  await button.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  await mouse.move(x, y, { steps: 8 })
  pressing()
  await mouse.down()
  await mouse.up()
}

/** The eight groups of a recovery kit's code, as shown. */
export function recoveryCode(frame: FrameLocator | Page): Promise<readonly string[]> {
  return textsOf(frame.getByRole('group', { name: 'Recovery code' }).locator('span'), 8)
}

/** The texts of the `count` elements, once they are there: what the page draws a moment later is not read as nothing. */
export async function textsOf(elements: Locator, count: number): Promise<readonly string[]> {
  await expect(elements).toHaveCount(count)
  return elements.allTextContents()
}

/** The newest code that was mailed to `email`. */
export async function codeFor(world: World, email: string): Promise<string> {
  const [newest] = await mailsTo(world, email)
  const code = newest?.text.match(/^\d{6}$/m)?.[0]
  if (!code) throw new Error(`No code was mailed to ${email}: ${newest?.text.slice(0, 300) ?? 'no mail'}`)
  return code
}

/** What the inbox holds for `email`, the newest first. */
export async function mailsTo(world: World, email: string): Promise<readonly { subject: string; text: string }[]> {
  // Node does not know `*.localhost`: the name stands in the header.
  const { request } = await import('node:http')
  const text = await new Promise<string>((resolve, reject) => {
    const asked = request(
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
    asked.on('error', reject)
    asked.end()
  })
  return JSON.parse(text)
}
