import { readLimitedText } from '../readLimitedBody.ts'
import type { VaultApp } from '../vault/defineRoute.ts'
import { htmlPage, pageHeaders } from '../vault/htmlPage.ts'
import { isSameOrigin } from '../vault/sameOrigin.ts'
import { hashOf } from '../vault/secretDigests.ts'
import { VaultError } from '../vault/vaultError.ts'
import type { Vault } from '../vault/vaultServices.ts'
import type { Approvals } from './approvalLinks.ts'

/** The path of the page that a mailed approval link opens. */
export const approvePath = '/vault/approve'

/** The page that a mailed approval link opens. Only its button approves, because mail scanners follow links. */
export function approvePages(app: VaultApp, vault: Vault, approvals: Approvals): void {
  const { audit, accounts, bus, limits, origin } = vault
  const answer = (body: string, status = 200) => new Response(body, { status, headers: pageHeaders() })
  const expiredPage = () =>
    answer(
      htmlPage({
        title: 'Link expired',
        heading: 'This link has expired',
        texts: ['It works once, for 10 minutes. Request a new one where you are signing in.'],
      }),
      410,
    )

  app.get(approvePath, async (c) => {
    const token = c.req.query('token') ?? ''
    const step = await approvals.findBySecret(hashOf('approval', token))
    if (!step) return expiredPage()
    return answer(
      htmlPage({
        title: 'Approve a new browser',
        heading: 'Are you signing in right now?',
        texts: [
          `A browser wants to sign in at ${new URL(origin).host} as ${step.data.email}.`,
          'If this is not you, close this page.',
        ],
        form: { action: approvePath, hidden: { token }, button: 'Approve' },
      }),
    )
  })

  app.post(approvePath, async (c) => {
    if (!isSameOrigin(c.req.raw, origin))
      throw new VaultError('origin/refused', 'The request did not come from this page')
    await limits.spend({ action: 'approve', key: c.var.context.network, max: 60, windowMs: 600_000 })
    const form = new URLSearchParams((await readLimitedText(c.req.raw, 4096)) ?? '')
    const secret = hashOf('approval', form.get('token') ?? '')
    const step = await approvals.findBySecret(secret)
    if (!step) return expiredPage()
    const data = { ...step.data, isApproved: true }
    if (!(await approvals.change(step.flow, secret, { data }))) return expiredPage()
    const user = await accounts.userByEmail(data.email)
    if (user) await audit.note(user.id, 'device-approved', undefined, c.var.context.place)
    bus.publish(`approval ${step.flow}`)
    return answer(
      htmlPage({
        title: 'Approved',
        heading: 'Browser approved',
        texts: ['We sent you a code by email. Enter it where you are signing in. You can close this page.'],
      }),
    )
  })
}
