import { test } from './support/test.ts'
import { openWebKit, type WebKit } from './support/webkit.ts'

// Its own browser, its own way of driving (WebDriver): Playwright's fixtures for pages are not used here.
let browser: WebKit
test.beforeAll(async () => {
  browser = await openWebKit()
})
test.afterAll(() => browser?.close())

test('WebKitGTK: connect, sign, pay, switch, reload and leave [R1.13 R3.15 R4.3]', async ({ world }) => {
  test.setTimeout(120_000)
  await browser.goto(world.facts.demo)
  await browser.press('Add Country sourdough')
  await browser.press('Try with a test wallet')
  await browser.press('Test Wallet')
  await browser.press('Approve')
  await browser.button('Account ')

  await browser.press('To the order')
  await browser.press('Pay 6.80 TUSD')
  await browser.press('Approve')
  await browser.reads('6.80 TUSD reached the bakery.')
  await browser.press('Sign the pickup slip')
  await browser.press('Approve')
  await browser.reads('Signed and checked: this order is yours.')

  await browser.press('Network: Bakery Chain')
  await browser.press('Market Chain')
  await browser.press('Approve')
  await browser.button('Network: Market Chain')

  await browser.reload()
  await browser.button('Network: Market Chain')
  await browser.press('Account ')
  await browser.press('Disconnect')
  await browser.button('Connect wallet')
})
