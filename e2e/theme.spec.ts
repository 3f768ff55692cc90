import type { Latchkey } from '@latchkey/core'
import type { Page } from '@playwright/test'
import { connectWith, expect, test } from './support/fixtures.ts'

// Tests that the buttons in the page use the same color scheme and theme variables as the modal.

declare global {
  interface Window {
    latchkey: Latchkey
  }
}

interface Look {
  readonly network: string
  readonly modal: string
}

/** Resolves to whether the network button and the modal's card are light or dark. */
async function look(page: Page): Promise<Look> {
  const lightness = (color: string): string => {
    if (/[,/] *0\)$/.test(color)) return 'none'
    const [value] = color.match(/[\d.]+/) ?? ['none']
    return Number(value) < 0.5 ? 'dark' : 'light'
  }
  const of = (selector: string): Promise<string> =>
    page.locator(selector).evaluate((element) => getComputedStyle(element).backgroundColor)
  return {
    network: lightness(await of('.latchkey-button[data-kind=network]')),
    modal: lightness(await of('latchkey-modal .card')),
  }
}

const opened = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
}

const cases: readonly {
  readonly title: string
  readonly system: 'light' | 'dark'
  readonly query: Readonly<Record<string, string>>
  readonly is: 'light' | 'dark'
}[] = [
  { title: 'the system is dark and the page sets nothing', system: 'dark', query: {}, is: 'dark' },
  { title: 'the system is light and the page sets nothing', system: 'light', query: {}, is: 'light' },
  { title: 'the page is dark', system: 'light', query: { page: 'color-scheme: dark' }, is: 'dark' },
  { title: 'the page is light', system: 'dark', query: { page: 'color-scheme: light' }, is: 'light' },
  { title: 'the page supports both', system: 'dark', query: { page: 'color-scheme: light dark' }, is: 'dark' },
  { title: 'an ancestor of the button is dark', system: 'light', query: { place: 'color-scheme: dark' }, is: 'dark' },
  { title: 'the page has the class `dark`', system: 'light', query: { class: 'dark' }, is: 'dark' },
  { title: 'the page has the class `light`', system: 'dark', query: { class: 'light' }, is: 'light' },
  {
    title: 'the host sets themeMode to dark',
    system: 'light',
    query: { page: 'color-scheme: light', options: '{"themeMode":"dark"}' },
    is: 'dark',
  },
  {
    title: 'the host sets themeMode to light',
    system: 'dark',
    query: { page: 'color-scheme: dark', options: '{"themeMode":"light"}' },
    is: 'light',
  },
]

for (const { title, system, query, is } of cases)
  test(`buttons and modal are ${is} if ${title}`, async ({ page, pages, withWallets }, info) => {
    await withWallets({ name: 'Ada Wallet' })
    await page.emulateMedia({ colorScheme: system, reducedMotion: 'reduce' })
    await page.goto(`${pages}/theme.html?${new URLSearchParams(query)}`)
    await opened(page)
    await page.screenshot({ path: info.outputPath('look.png') })
    expect(await look(page)).toEqual({ network: is, modal: is })
  })

test('buttons and an open modal follow theme changes by the page, the system and setTheme()', async ({
  page,
  pages,
  withWallets,
}) => {
  await withWallets({ name: 'Ada Wallet' })
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.goto(`${pages}/theme.html`)
  await opened(page)
  const all = (is: 'light' | 'dark') => expect.poll(() => look(page)).toEqual({ network: is, modal: is })
  await all('light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await all('dark')
  await page.evaluate(() => document.documentElement.classList.add('light'))
  await all('light')
  await page.evaluate(() => (document.documentElement.className = 'dark'))
  await all('dark')
  await page.evaluate(() => window.latchkey.setTheme({ mode: 'light' }))
  await all('light')
  await page.evaluate(() => window.latchkey.setTheme({ mode: 'system' }))
  await all('dark')
})

test('themeVariables apply to the buttons, and setTheme() updates the variables', async ({
  page,
  pages,
  withWallets,
}) => {
  await withWallets({ name: 'Ada Wallet' })
  const options = JSON.stringify({ themeVariables: { accent: '#0a7700', radius: '12px' } })
  await page.goto(`${pages}/theme.html?${new URLSearchParams({ options })}`)
  const button = page.getByRole('button', { name: 'Connect wallet' })
  await expect(button).toHaveCSS('background-color', 'rgb(10, 119, 0)')
  await expect(button).toHaveCSS('border-radius', '0px')
  await page.evaluate(() => window.latchkey.setTheme({ variables: { accent: '#700a77' } }))
  await expect(button).toHaveCSS('background-color', 'rgb(112, 10, 119)')
  await connectWith(page, 'Ada Wallet')
  await page.evaluate(() => window.latchkey.setTheme({ variables: { text: 'rgb(1, 2, 3)' } }))
  await expect(page.getByRole('button', { name: /^Account / })).toHaveCSS('color', 'rgb(1, 2, 3)')
})

test('a button is only as wide as its label, even if a flex container stretches its items', async ({
  page,
  pages,
  withWallets,
}) => {
  await withWallets({ name: 'Ada Wallet' })
  await page.goto(`${pages}/theme.html?${new URLSearchParams({ place: 'display: flex; flex-direction: column' })}`)
  const { width } = (await page.getByRole('button', { name: 'Connect wallet' }).boundingBox()) ?? { width: 0 }
  expect(width).toBeLessThan(250)
  expect(width).toBeGreaterThan(100)
})
