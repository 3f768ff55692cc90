import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { buildRecoveryPage } from '../packages/frame/buildRecoveryPage.mjs'

// Opens the recovery page from disk and offline, with a vault from an earlier version.

interface Past {
  readonly record: string
  readonly keys: { readonly kit: string }
  readonly addresses: Readonly<Record<string, string>>
}

const past = JSON.parse(
  readFileSync(join(import.meta.dirname, '../packages/vault/src/testing/fixtures/record.v1.json'), 'utf8'),
) as Past

const folder = mkdtempSync(join(tmpdir(), 'recovery-'))

test.beforeAll(async () => {
  const { sha256 } = await buildRecoveryPage({ outDir: folder })
  const kit = {
    type: 'latchkey-recovery-kit',
    format: 1,
    createdAt: 1,
    page: { sha256 },
    record: JSON.parse(past.record) as unknown,
  }
  writeFileSync(join(folder, 'kit.json'), JSON.stringify(kit))
  writeFileSync(join(folder, 'other.json'), '{"hello":"world"}')
})

async function opened(page: Page): Promise<string[]> {
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('pageerror', (error) => requests.push(String(error)))
  await page.context().setOffline(true)
  await page.goto(pathToFileURL(join(folder, 'recovery.html')).href)
  return requests
}

test('the page recovers the words and addresses from the kit file and the code, even offline and from disk', async ({
  page,
}) => {
  const requests = await opened(page)
  await page.getByLabel('Recovery file').setInputFiles(join(folder, 'kit.json'))
  await page.getByLabel('Recovery code').fill(past.keys.kit.toLowerCase().replaceAll('-', ' '))
  await page.getByRole('button', { name: 'Open' }).click()
  await expect(page.getByRole('listitem')).toHaveCount(24)
  for (const address of Object.values(past.addresses))
    await expect(page.getByText(address, { exact: true })).toBeVisible()
  await expect(page.getByLabel('Recovery code')).toHaveValue('')
  expect(requests).toEqual([pathToFileURL(join(folder, 'recovery.html')).href])
  await page.getByRole('button', { name: 'Clear this page' }).click()
  await expect(page.getByRole('listitem')).toHaveCount(0)
})

test('the page reports a typo in the code or a wrong file, and sends no requests', async ({ page }) => {
  const requests = await opened(page)
  await page.getByRole('button', { name: 'Open' }).click()
  await expect(page.getByRole('alert')).toHaveText('Choose the recovery file first.')
  await page.getByLabel('Recovery file').setInputFiles(join(folder, 'kit.json'))
  const { kit } = past.keys
  await page.getByLabel('Recovery code').fill(`${kit.slice(0, 8)}${kit[8] === 'Z' ? 'Y' : 'Z'}${kit.slice(9)}`)
  await page.getByRole('button', { name: 'Open' }).click()
  await expect(page.getByRole('alert')).toHaveText('There is a typo in group 2 of the code. Check it again.')
  await page.getByLabel('Recovery code').fill(kit)
  await page.getByLabel('Recovery file').setInputFiles(join(folder, 'other.json'))
  await page.getByRole('button', { name: 'Open' }).click()
  await expect(page.getByRole('alert')).toHaveText('This is not a recovery file.')
  expect(requests).toHaveLength(1)
})

test.describe('in dark mode', () => {
  test.use({ colorScheme: 'dark' })
  test('the recovery page is accessible', async ({ page }) => {
    await opened(page)
    await page.getByLabel('Recovery file').setInputFiles(join(folder, 'kit.json'))
    await page.getByLabel('Recovery code').fill(past.keys.kit)
    await page.getByRole('button', { name: 'Open' }).click()
    await expect(page.getByRole('listitem')).toHaveCount(24)
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  })
})

test.describe('in an Arabic browser', () => {
  test.use({ locale: 'ar' })

  test('the page is in Arabic and right-to-left, but the words and keys are left-to-right', async ({ page }) => {
    const requests = await opened(page)
    await expect(page).toHaveTitle('مجموعة الاسترداد')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('فتح مجموعة الاسترداد')
    await expect(page.locator('html')).toHaveAttribute('lang', 'ar')
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
    await page.getByRole('button', { name: 'فتح' }).click()
    await expect(page.getByRole('alert')).toHaveText('اختر ملف الاسترداد أولًا.')
    await page.getByLabel('ملف الاسترداد').setInputFiles(join(folder, 'kit.json'))
    await page.getByLabel('رمز الاسترداد').fill(past.keys.kit)
    await page.getByRole('button', { name: 'فتح' }).click()
    await expect(page.getByRole('listitem')).toHaveCount(24)
    await expect(page.getByRole('list')).toHaveCSS('direction', 'ltr')
    for (const address of Object.values(past.addresses))
      await expect(page.getByText(address, { exact: true })).toHaveCSS('direction', 'ltr')
    expect(requests).toHaveLength(1)
  })
})
