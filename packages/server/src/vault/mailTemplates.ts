import { escapeHtml } from '../escapeHtml.ts'
import type { Mail } from './vaultPorts.ts'

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
      'Type this code where you are signing in. It works for 10 minutes, and only in the browser that asked for it.',
    code: otp,
    after: `Nobody at ${site} will ever ask you for it. If you did not ask for a code, do nothing: without it nobody gets in.`,
  })
}

/** The mail with the link that approves a new browser. */
export function approvalMail({ to, url, site }: { to: string; url: string; site: string }): Mail {
  return written({
    to,
    subject: 'Approve a new browser',
    heading: 'Is it you?',
    before: 'A browser that we do not know wants to sign in with your address. The link works for 10 minutes.',
    link: { url, label: 'Look at the request' },
    after: `Follow it only if you are signing in at this moment. If it is not you, do nothing: ${site} lets nobody in without it.`,
  })
}

/** The mail to the current address with the code that confirms a change. */
export function changePrimaryMail({ to, otp, site }: { to: string; otp: string; site: string }): Mail {
  return written({
    to,
    subject: 'Confirm the change of your address',
    heading: 'Changing your address',
    before: 'Type this code to confirm that your account shall have another e-mail address. It works for 10 minutes.',
    code: otp,
    after: `If it is not you, do not type it anywhere, and look at the devices of your account at ${site}.`,
  })
}

/** The mail to the new address with the code that confirms it. */
export function changeSecondaryMail({ to, otp, site }: { to: string; otp: string; site: string }): Mail {
  return written({
    to,
    subject: 'Confirm your new address',
    heading: 'Your new address',
    before: 'Type this code to make this the e-mail address of your account. It works for 10 minutes.',
    code: otp,
    after: `If you know nothing of it, do nothing: ${site} then forgets this address.`,
  })
}

/** The mail sent instead of a code if the new address already has an account. */
export function addressTakenMail({ to, site }: { to: string; site: string }): Mail {
  return written({
    to,
    subject: 'This address has an account already',
    heading: 'This address is taken',
    before: `Somebody, perhaps you, wanted to make this the address of another account at ${site}. It has one of its own, so nothing was changed.`,
    after: 'If it was you, sign in with this address in place of changing to it.',
  })
}

/** The notification to the previous address. */
export function addressChangedMail({ to, site }: { to: string; site: string }): Mail {
  return written({
    to,
    subject: 'The address of your account has changed',
    heading: 'Your address has changed',
    before: `Your account at ${site} has another e-mail address now, after codes from both mailboxes were typed. Your wallet and its keys are the same as before.`,
    after: 'If it was not you, somebody can read this mailbox: change its password.',
  })
}

/** The notification that another device was added. */
export function deviceAddedMail({ to, place, site }: { to: string; place: string; site: string }): Mail {
  return written({
    to,
    subject: 'A new device can ask for your wallet',
    heading: 'A new device',
    before: `“${place}” signed in to your account at ${site}. It can open the wallet only with your passkey, your recovery kit or one of your other devices.`,
    after: 'If it is not yours, remove it in the list of devices of your wallet.',
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
    subject: 'A new device asks for your wallet',
    heading: 'A device asks to be let in',
    before: `“${place}” signed in to your account at ${site} and asks one of your devices to let it in. Until ${time} that needs your passkey or your recovery kit there.`,
    after: `If it is not yours, somebody can read this mailbox: change its password, then type ${site}/wallet into your browser, sign out everywhere, and add a passkey or a recovery kit.`,
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
