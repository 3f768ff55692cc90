import { existsSync } from 'node:fs'
import puppeteer, { type Browser, type ElementHandle, type Page } from 'puppeteer-core'
import { findButton } from './support/findButton.ts'
import { expect, test } from './support/test.ts'

const executablePath = process.env.FIREFOX ?? '/usr/bin/firefox-esr'

// Its own browser, its own way of driving (WebDriver BiDi): Playwright's fixtures for pages are not used here.
let browser: Browser
test.beforeAll(async () => {
  expect(existsSync(executablePath), `Firefox at ${executablePath} (apt-get install firefox-esr, or set FIREFOX)`).toBe(
    true,
  )
  browser = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true, args: ['-no-remote'] })
})
test.afterAll(() => browser?.close())

/** The button that is called so: BiDi's own search by name stops at shadow roots. */
async function button(page: Page, name: string): Promise<ElementHandle<Element>> {
  return (await page.waitForFunction(findButton, { timeout: 15_000 }, name)) as ElementHandle<Element>
}

async function press(page: Page, name: string): Promise<void> {
  await (await button(page, name)).click()
}

async function reads(page: Page, text: string): Promise<void> {
  await page.waitForFunction((wanted) => document.body.textContent.includes(wanted), { timeout: 10_000 }, text)
}

test('Firefox ESR: connect, sign, pay, switch, reload and leave [R1.13 R3.15 R4.3]', async ({ world }) => {
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
  await press(page, 'Account ')
  await press(page, 'Disconnect')
  await button(page, 'Connect wallet')
  expect(problems).toEqual([])
  await page.close()
})
