import { existsSync } from 'node:fs'
import puppeteer, { type Browser, type ElementHandle, type Frame, type Page, type Target } from 'puppeteer-core'
import { hashMessage, recoverAddress, stringToHex } from 'viem'
import { findButton } from './support/findButton.ts'
import { expect, test } from './support/fixtures.ts'
import { codeFor } from './support/framePage.ts'

const executablePath = process.env.FIREFOX ?? '/usr/bin/firefox-esr'

// The tests control Firefox through WebDriver BiDi, without Playwright's page fixtures.
let browser: Browser
// Each test starts a new browser. Otherwise, a session at the keys origin would carry over to the next test.
test.beforeEach(async () => {
  expect(existsSync(executablePath), `Firefox at ${executablePath} (apt-get install firefox-esr, or set FIREFOX)`).toBe(
    true,
  )
  browser = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true, args: ['-no-remote'] })
})
test.afterEach(() => browser?.close())

/**
 * Evaluates `question` in the page on each animation frame until it returns a truthy value. Puppeteer's `waitForFunction` cannot
 * be used because it compiles a function from text, which the pages' CSP forbids.
 */
async function when<Args extends readonly unknown[]>(
  page: Page | Frame,
  question: (...args: Args) => unknown,
  ...args: Args
): Promise<ElementHandle<Node> | undefined> {
  return within(30_000, page, question, ...args)
}

async function within<Args extends readonly unknown[]>(
  ms: number,
  page: Page | Frame,
  question: (...args: Args) => unknown,
  ...args: Args
): Promise<ElementHandle<Node> | undefined> {
  const until = Date.now() + ms
  for (;;) {
    const found = await page.evaluateHandle(question as unknown as (...args: unknown[]) => unknown, ...args)
    const element = found.asElement()
    if (element) return element as ElementHandle<Node>
    if (await found.jsonValue()) return undefined
    if (Date.now() > until)
      throw new Error(`Timed out waiting for: ${question}\n${await page.evaluate(() => document.body.textContent)}`)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
  }
}

/** Waits for the button with this name. BiDi's own accessibility locator does not search shadow roots. */
async function button(page: Page | Frame, name: string): Promise<ElementHandle<Element>> {
  return (await when(page, findButton, name)) as ElementHandle<Element>
}

/** Waits until the button is enabled. */
async function counts(page: Page, yes: ElementHandle<Element>): Promise<void> {
  await when(page, (element: unknown) => (element as Element).getAttribute('aria-disabled') !== 'true', yes as unknown)
}

/** Clicks the button once it has stopped moving, because the driver clicks at the position that it has read before. */
async function press(page: Page | Frame, name: string): Promise<void> {
  const element = await button(page, name)
  const isStill = async (moving: unknown): Promise<boolean> => {
    const { x, y } = (moving as Element).getBoundingClientRect()
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const later = (moving as Element).getBoundingClientRect()
    return x === later.x && y === later.y
  }
  await when(page, isStill, element as unknown)
  await element.click()
}

/** Clicks the button, again if needed, until the button `next` appears. A view that is still loading can move under the pointer. */
async function pressUntil(page: Page, name: string, next: string): Promise<void> {
  await expect(async () => {
    if (await page.evaluate(findButton, next)) return
    await press(page, name)
    await within(5_000, page, findButton, next)
  }).toPass({ timeout: 60_000 })
}

async function reads(page: Page, text: string): Promise<void> {
  await when(page, (wanted: string) => document.body.textContent.includes(wanted), text)
}

test('Firefox ESR: connect, sign, pay, switch networks, reload and disconnect [R1.13] [R3.15] [R4.3]', async ({
  world,
}) => {
  test.setTimeout(120_000)
  const page = await browser.newPage()
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  await page.goto(world.facts.demo)
  await press(page, 'Add Country sourdough')
  await press(page, 'Try with a test wallet')
  await press(page, 'Test Wallet')
  await press(page, 'Approve')
  await button(page, 'Account ')

  await press(page, 'To the order')
  await press(page, 'Pay 6.80 TUSD')
  await press(page, 'Approve')
  await reads(page, '6.80 TUSD reached the bakery.')
  await press(page, 'Sign the pickup slip')
  await press(page, 'Approve')
  await reads(page, 'Signed and checked: this order is yours.')

  await press(page, 'Network: Bakery Chain')
  await press(page, 'Market Chain')
  await press(page, 'Approve')
  await button(page, 'Network: Market Chain')

  await page.reload()
  await button(page, 'Network: Market Chain')
  await pressUntil(page, 'Account ', 'Disconnect')
  await pressUntil(page, 'Disconnect', 'Connect wallet')
  expect(problems).toEqual([])
  await page.close()
})

test('Firefox ESR: log in by email, approve a signature in a window, then reject another one', async ({ world }) => {
  test.setTimeout(120_000)
  const page = await browser.newPage()
  await page.goto(`http://pages.demo.localhost:${world.port}/withoutSdk.html`)
  await when(page, () => window.framePage !== undefined)
  const ask = (name: string, payload?: unknown) =>
    page.evaluate(
      async (name, payload) => {
        await window.framePage.ready
        return (await window.framePage.request(name, payload)) as { type: string; payload: { address: `0x${string}` } }
      },
      name,
      payload,
    )
  const email = `firefox-${Date.now()}@bakery.example`
  await ask('CONNECT_EMAIL', { email })
  await ask('CONNECT_OTP', { otp: await codeFor(world, email) })
  const { payload: user } = await ask('GET_USER', { chainId: 31337 })
  const request = {
    method: 'personal_sign',
    params: [stringToHex('Good morning'), user.address],
    chainId: 31337,
    chainNamespace: 'eip155',
  }
  const start = (key: string) =>
    page.evaluate((key, request) => window.framePage.start(key, 'RPC_REQUEST', request), key, request)
  const answer = (key: string) => page.evaluate(async (key) => window.framePage.responses[key], key)
  const openApproval = async (): Promise<Page> => {
    const frame = page.frames().find((candidate) => new URL(candidate.url()).pathname === '/sdk')
    if (!frame) throw new Error('The frame was not found.')
    const opening = browser.waitForTarget((target) => target.url().includes('/approve'), { timeout: 30_000 })
    await press(frame, 'Continue in a window')
    const approval = await (await opening).page()
    if (!approval) throw new Error('No window opened.')
    await approval.bringToFront()
    return approval
  }

  await start('yes')
  const approval = await openApproval()
  const sign = await button(approval, 'Sign')
  await counts(approval, sign)
  const box = await sign.boundingBox()
  if (!box) throw new Error('The button is not visible.')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  // A click has no effect unless the pointer has moved onto the button since the button was enabled.
  await approval.mouse.move(x, y)
  await approval.mouse.down()
  await approval.mouse.up()
  expect(await page.evaluate(() => Promise.race([window.framePage.responses.yes, 'nothing yet']))).toBe('nothing yet')
  await approval.mouse.move(x, y - 150)
  await counts(approval, sign)
  await approval.mouse.move(x, y, { steps: 6 })
  await approval.mouse.down()
  await approval.mouse.up()
  const { payload: signature } = (await answer('yes')) as unknown as { payload: `0x${string}` }
  expect(await recoverAddress({ hash: hashMessage('Good morning'), signature })).toBe(user.address)

  await start('no')
  const next = await openApproval()
  // The window might close before the driver receives the result of the click.
  await press(next, 'Cancel').catch(() => undefined)
  expect(await answer('no')).toMatchObject({ payload: { message: 'User rejected the request.' } })
  await page.close()
})

test('Firefox ESR: log in, sign, reload and sign out on a cross-site page, with approvals at the keys origin', async ({
  world,
}) => {
  test.setTimeout(150_000)
  const page = await browser.newPage()
  const open = async (): Promise<void> => {
    await page.goto(`http://shop.localhost:${world.port}/withoutSdk.html`)
    await when(page, () => window.framePage !== undefined)
  }
  const ask = (name: string, payload?: unknown) =>
    page.evaluate(
      async (name, payload) => {
        await window.framePage.ready
        return (await window.framePage.request(name, payload)) as { type: string; payload: Record<string, unknown> }
      },
      name,
      payload,
    )
  const start = (key: string, name: string, payload: unknown) =>
    page.evaluate(
      async (key, name, payload) => {
        await window.framePage.ready
        window.framePage.start(key, name, payload)
      },
      key,
      name,
      payload,
    )
  const answer = (key: string) => page.evaluate(async (key) => window.framePage.responses[key], key)
  const openWindow = async (): Promise<Page> => {
    const frame = page.frames().find((candidate) => new URL(candidate.url()).pathname === '/sdk')
    if (!frame) throw new Error('The frame was not found.')
    const isWindow = (target: Target): boolean => target.url().includes('/continue')
    // The previous window might still be closing.
    await expect.poll(() => browser.targets().some(isWindow)).toBe(false)
    const opening = browser.waitForTarget(isWindow, { timeout: 30_000 })
    await press(frame, 'Continue in a window')
    const opened = await (await opening).page()
    if (!opened) throw new Error('No window opened.')
    await opened.bringToFront()
    return opened
  }
  /** Waits until the button is enabled, then moves the pointer onto the button and clicks, as a user would. */
  const approve = async (opened: Page, name: string): Promise<void> => {
    const yes = await button(opened, name)
    await counts(opened, yes)
    const box = await yes.boundingBox()
    if (!box) throw new Error('The button is not visible.')
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await opened.mouse.move(x, y - 150)
    await opened.mouse.move(x, y, { steps: 6 })
    await opened.mouse.down()
    await opened.mouse.up()
  }

  await open()
  const email = `firefox-away-${Date.now()}@bakery.example`
  await start('in', 'CONNECT_WINDOW', { email })
  const login = await openWindow()
  await when(login, () => document.querySelector('input[autocomplete="one-time-code"]') !== null)
  await login.type('input[autocomplete="one-time-code"]', await codeFor(world, email))
  await approve(login, 'Connect')
  expect(await answer('in')).toMatchObject({ type: '@w3m-frame/CONNECT_WINDOW_SUCCESS' })
  const { payload: user } = await ask('GET_USER', { chainId: 31337 })
  expect(user).toMatchObject({ email })

  const params = [stringToHex('Good morning'), user.address]
  await start('yes', 'RPC_REQUEST', { method: 'personal_sign', params, chainId: 31337, chainNamespace: 'eip155' })
  await approve(await openWindow(), 'Sign')
  const { payload: signature } = (await answer('yes')) as unknown as { payload: `0x${string}` }
  expect(await recoverAddress({ hash: hashMessage('Good morning'), signature })).toBe(user.address)

  await open()
  expect(await ask('IS_CONNECTED')).toMatchObject({ payload: { isConnected: true } })
  expect((await ask('GET_USER', { chainId: 31337 })).payload.address).toBe(user.address)
  await ask('SIGN_OUT')
  expect(await ask('IS_CONNECTED')).toMatchObject({ payload: { isConnected: false } })
  await page.close()
})
