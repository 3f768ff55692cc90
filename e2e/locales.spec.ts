import { createHash } from 'node:crypto'
import { expect, test } from './support/fixtures.ts'
import { openApproval, openFramePage, pressAsPerson } from './support/framePage.ts'

// The browser logs failed responses, such as 401 when the user is not signed in and 404 when no vault is stored yet.
// biome-ignore lint/correctness/noEmptyPattern: Playwright requires the destructuring pattern
test.use({ allowedConsole: async ({}, use) => use([/status of (401|404|422)/]) })

const local = { chainId: 31337, chainNamespace: 'eip155' }
const someone = (name: string): string =>
  `${name}-${createHash('sha256')
    .update(name + Date.now())
    .digest('hex')
    .slice(0, 8)}@bakery.example`

for (const { locale, title, goOn, yes, dir, security, past, made } of [
  {
    locale: 'de-DE',
    title: 'Nachricht unterschreiben',
    goOn: 'In einem Fenster fortfahren',
    yes: 'Signieren',
    dir: 'ltr',
    security: 'Sicherheit und Wiederherstellung',
    past: 'Was geschah',
    made: 'Die Wallet wurde gemacht',
  },
  {
    locale: 'ar',
    title: 'توقيع رسالة',
    goOn: 'المتابعة في نافذة',
    yes: 'توقيع',
    dir: 'rtl',
    security: 'الأمان والاسترداد',
    past: 'ما الذي حدث',
    made: 'أُنشئت المحفظة',
  },
])
  test.describe(`in a browser with the locale ${locale}`, () => {
    test.use({ locale })
    test('the key frame uses the user’s language', async ({ page, world }, info) => {
      const framePage = await openFramePage(page, world)
      const { payload: user } = await framePage.logIn(someone('ada'))
      await framePage.start('signed', { method: 'personal_sign', params: ['0x68616c6c6f', user.address], ...local })
      await expect(framePage.frame.getByRole('heading', { name: title })).toBeVisible()
      await expect(framePage.frame.locator('html')).toHaveAttribute('dir', dir)
      await page.screenshot({ path: info.outputPath('asked.png') })
      const approval = await openApproval(framePage.frame, goOn)
      await expect(approval.getByRole('heading', { name: title })).toBeVisible()
      await expect(approval.locator('html')).toHaveAttribute('dir', dir)
      await pressAsPerson(approval.getByRole('button', { name: yes, exact: true }))
      expect((await framePage.response('signed')).type).toBe('@w3m-frame/RPC_REQUEST_SUCCESS')
    })

    test('the wallet page and its dates use the user’s language', async ({ page, world }, info) => {
      const framePage = await openFramePage(page, world)
      await framePage.logIn(someone('ada'))
      await page.goto(`http://keys.demo.localhost:${world.port}/wallet`)
      await expect(page.getByRole('heading', { name: security })).toBeVisible()
      await expect(page).toHaveTitle(security)
      await page.screenshot({ path: info.outputPath('keys.png'), fullPage: true })
      await page.getByRole('button', { name: past }).click()
      await expect(page.getByText(made)).toBeVisible()
      const written = new Intl.DateTimeFormat(`${locale}-u-nu-latn`, { dateStyle: 'medium' }).format()
      await expect(page.getByText(written).first()).toBeVisible()
      await page.screenshot({ path: info.outputPath('past.png') })
    })
  })
