import { existsSync } from 'node:fs'
import puppeteer, { type Browser, type ElementHandle, type Page } from 'puppeteer-core'
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

/** The button that is called so (or begins so), in the page or in a shadow root: BiDi's own search by name stops at those. */
async function button(page: Page, name: string): Promise<ElementHandle<Element>> {
  const found = await page.waitForFunction(
    (wanted) => {
      const within = (root: Document | ShadowRoot): Element | undefined => {
        for (const element of root.querySelectorAll('*')) {
          const inner = element.shadowRoot && within(element.shadowRoot)
          if (inner) return inner
          if (!['button', 'a'].includes(element.localName) || !element.checkVisibility()) continue
          const called = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? ''
          if (!called.startsWith(wanted) || (element as HTMLButtonElement).disabled) continue
          element.scrollIntoView({ block: 'center', behavior: 'instant' })
          // A person cannot press what is behind something else, such as a dialog that is leaving.
          const { x, y, width, height } = element.getBoundingClientRect()
          if (element.contains(root.elementFromPoint(x + width / 2, y + height / 2))) return element
        }
        return undefined
      }
      return within(document)
    },
    { timeout: 15_000 },
    name,
  )
  return found as ElementHandle<Element>
}

async function press(page: Page, name: string): Promise<void> {
  await (await button(page, name)).click()
}

async function reads(page: Page, text: string): Promise<void> {
  await page.waitForFunction((wanted) => document.body.innerText.includes(wanted), { timeout: 10_000 }, text)
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
