import { escapeHtml } from '../escapeHtml.ts'
import type { Mail } from '../vault/vaultDependencies.ts'

interface Written {
  readonly to: string
  readonly subject: string
  readonly heading: string
  readonly before: string
  /** Displayed large, for copying. */
  readonly code?: string
  readonly link?: { readonly url: string; readonly label: string }
  readonly after: string
}

/** The mail with a sign-in code. */
export function codeMail({ to, otp, site }: { to: string; otp: string; site: string }): Mail {
  return written({
    to,
    subject: 'Your sign-in code',
    heading: 'Your sign-in code',
    before:
      'Enter this code where you are signing in. It works for 10 minutes, and only in the browser that requested it.',
    code: otp,
    after: `Nobody at ${site} will ever ask you for it. If you did not request a code, ignore this email: nobody can sign in without it.`,
  })
}

/** The mail with the link that approves a new browser. */
export function approvalMail({ to, url, site }: { to: string; url: string; site: string }): Mail {
  return written({
    to,
    subject: 'Approve a new browser',
    heading: 'Is this you?',
    before: 'A new browser wants to sign in with your email address. The link works for 10 minutes.',
    link: { url, label: 'Review the request' },
    after: `Open it only if you are signing in right now. If this is not you, ignore this email: nobody can sign in to ${site} without it.`,
  })
}

/** The mail to the current address with the code that confirms a change. */
export function changePrimaryMail({ to, otp, site }: { to: string; otp: string; site: string }): Mail {
  return written({
    to,
    subject: 'Confirm your email change',
    heading: 'Changing your email address',
    before:
      'Enter this code to confirm that you want to change the email address of your account. It works for 10 minutes.',
    code: otp,
    after: `If this is not you, do not enter it anywhere, and check the devices of your account at ${site}.`,
  })
}

/** The mail to the new address with the code that confirms it. */
export function changeSecondaryMail({ to, otp, site }: { to: string; otp: string; site: string }): Mail {
  return written({
    to,
    subject: 'Confirm your new email address',
    heading: 'Your new email address',
    before: 'Enter this code to make this the email address of your account. It works for 10 minutes.',
    code: otp,
    after: `If you did not request this, ignore this email: ${site} then deletes this address.`,
  })
}

/** The mail sent instead of a code if the new address already has an account. */
export function addressTakenMail({ to, site }: { to: string; site: string }): Mail {
  return written({
    to,
    subject: 'This email address already has an account',
    heading: 'This email address is taken',
    before: `Someone, perhaps you, tried to use this email address for another account at ${site}. It already has an account, so nothing was changed.`,
    after: 'If it was you, sign in with this email address instead.',
  })
}

/** The notification to the previous address. */
export function addressChangedMail({ to, site }: { to: string; site: string }): Mail {
  return written({
    to,
    subject: 'Your email address was changed',
    heading: 'Your email address was changed',
    before: `Your account at ${site} now has a different email address. Codes sent to both addresses were entered. Your wallet and its keys have not changed.`,
    after: 'If this was not you, someone can read your email: change the password of your email account.',
  })
}

/** The notification that another device was added. */
export function deviceAddedMail({ to, place, site }: { to: string; place: string; site: string }): Mail {
  return written({
    to,
    subject: 'New sign-in on another device',
    heading: 'New device',
    before: `“${place}” signed in to your account at ${site}. It can open the wallet only with your passkey, your recovery kit or one of your other devices.`,
    after: 'If it is not yours, remove it from your wallet’s list of devices.',
  })
}

/** The notification that a new device requests approval. After `until`, codes to this mailbox alone can be enough for it. */
export function deviceAskedMail({
  to,
  place,
  site,
  until,
}: {
  to: string
  place: string
  site: string
  /** Epoch milliseconds. */
  until: number
}): Mail {
  const time = `${new Date(until).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return written({
    to,
    subject: 'A new device wants to open your wallet',
    heading: 'A device needs your approval',
    before: `“${place}” signed in to your account at ${site} and is asking one of your devices for approval. Until ${time}, approving it requires your passkey or your recovery kit there.`,
    after: `If it is not yours, someone can read your email: change the password of your email account, then enter ${site}/wallet in your browser, sign out everywhere, and add a passkey or a recovery kit.`,
  })
}

function written({ to, subject, heading, before, code, link, after }: Written): Mail {
  const text = [heading, before, ...(code ? [code] : []), ...(link ? [link.url] : []), after].join('\n\n')
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:32px 16px;background:#f4f4f5;color:#18181b;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="max-width:440px;margin:0 auto;padding:32px;background:#ffffff;border-radius:16px">
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${escapeHtml(heading)}</h1>
<p style="margin:0 0 24px">${escapeHtml(before)}</p>
${code ? `<p style="margin:0 0 24px;padding:16px;background:#f4f4f5;border-radius:12px;text-align:center;font:600 32px/1 ui-monospace,Menlo,Consolas,monospace;letter-spacing:6px">${escapeHtml(code)}</p>\n` : ''}${link ? `<p style="margin:0 0 24px"><a href="${escapeHtml(link.url)}" style="display:inline-block;padding:12px 20px;background:#18181b;color:#ffffff;border-radius:12px;text-decoration:none">${escapeHtml(link.label)}</a></p>\n<p style="margin:0 0 24px;font-size:13px;color:#52525b;word-break:break-all">${escapeHtml(link.url)}</p>\n` : ''}<p style="margin:0;font-size:14px;color:#52525b">${escapeHtml(after)}</p>
</div>
</body>
</html>
`
  return { to, subject, text: `${text}\n`, html }
}
