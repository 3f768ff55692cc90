import type { Language } from '@latchkey/i18n/languages'
import { readLimitedText } from '../../http/readLimitedBody.ts'
import { mailText } from '../../mail/mailText.ts'
import { hashOf } from '../../storage/secretDigests.ts'
import type { KeysApp } from '../http/defineKeysRoute.ts'
import { htmlPage, pageHeaders } from '../http/htmlPage.ts'
import { isSameOrigin } from '../http/sameOrigin.ts'
import { KeysError } from '../keysError.ts'
import type { KeysServices } from '../keysServices.ts'
import type { DeviceVerifications } from './deviceVerificationLinks.ts'

/** The path of the page that an emailed approval link opens. */
export const deviceVerificationPath = '/vault/approve'

/**
 * Adds the page that an emailed approval link opens. Only the button on the page approves the browser, because mail scanners
 * follow links.
 */
export function deviceVerificationPages(
  app: KeysApp,
  services: KeysServices,
  verifications: DeviceVerifications,
): void {
  const { audit, accounts, bus, limits, origin } = services
  const answer = (body: string, status = 200) => new Response(body, { status, headers: pageHeaders() })
  const expiredPage = (language: Language) =>
    answer(
      htmlPage({
        language,
        title: mailText(language, 'expiredPage.title'),
        heading: mailText(language, 'expiredPage.heading'),
        texts: [mailText(language, 'expiredPage.body')],
      }),
      410,
    )

  app.get(deviceVerificationPath, async (c) => {
    const { language } = c.var.context
    const token = c.req.query('token') ?? ''
    const step = await verifications.findBySecret(hashOf('approval', token))
    if (!step) return expiredPage(language)
    return answer(
      htmlPage({
        language,
        title: mailText(language, 'approvePage.title'),
        heading: mailText(language, 'approvePage.heading'),
        texts: [
          mailText(language, 'approvePage.body', { site: new URL(origin).host, email: step.data.email }),
          mailText(language, 'approvePage.notYou'),
        ],
        form: { action: deviceVerificationPath, hidden: { token }, button: mailText(language, 'approvePage.approve') },
      }),
    )
  })

  app.post(deviceVerificationPath, async (c) => {
    const { language } = c.var.context
    if (!isSameOrigin(c.req.raw, origin))
      throw new KeysError('origin/refused', 'The request did not come from this page')
    await limits.spend({ action: 'approve', key: c.var.context.network, max: 60, windowMs: 600_000 })
    const form = new URLSearchParams((await readLimitedText(c.req.raw, 4096)) ?? '')
    const secret = hashOf('approval', form.get('token') ?? '')
    const step = await verifications.findBySecret(secret)
    if (!step) return expiredPage(language)
    const data = { ...step.data, isApproved: true }
    if (!(await verifications.change(step.flow, secret, { data }))) return expiredPage(language)
    const user = await accounts.userByEmail(data.email)
    if (user) await audit.note(user.id, 'device-approved', undefined, c.var.context.place)
    bus.publish(`approval ${step.flow}`)
    return answer(
      htmlPage({
        language,
        title: mailText(language, 'approvedPage.title'),
        heading: mailText(language, 'approvedPage.heading'),
        texts: [mailText(language, 'approvedPage.body')],
      }),
    )
  })
}
