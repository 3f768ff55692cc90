import type { Language } from '@latchkey/i18n/languages'
import { direction } from '@latchkey/i18n/locale'
import { escapeHtml } from '../http/escapeHtml.ts'
import type { Mail } from './mailer.ts'
import { filled, type MailKey, mailText } from './mailText.ts'

/** The name of an email: the first part of its message keys. */
type MailName = MailKey extends infer Key ? (Key extends `${infer Name}.subject` ? Name : never) : never

interface MailParams {
  readonly to: string
  /** The host name of the keys origin. */
  readonly site: string
  /** The language of the browser that made the request. */
  readonly language: Language
}

/** Returns the email with a sign-in code. */
export function codeMail({ otp, ...params }: MailParams & { otp: string }): Mail {
  return written({ ...params, name: 'code', code: otp })
}

/** Returns the email with the link that approves a new browser. */
export function approvalMail({ url, ...params }: MailParams & { url: string }): Mail {
  return written({ ...params, name: 'approval', url })
}

/** Returns the email to the current address with the code that confirms an address change. */
export function changePrimaryMail({ otp, ...params }: MailParams & { otp: string }): Mail {
  return written({ ...params, name: 'changePrimary', code: otp })
}

/** Returns the email to the new address with the code that confirms the address. */
export function changeSecondaryMail({ otp, ...params }: MailParams & { otp: string }): Mail {
  return written({ ...params, name: 'changeSecondary', code: otp })
}

/** Returns the email that is sent instead of a code if the new address already has an account. */
export function addressTakenMail(params: MailParams): Mail {
  return written({ ...params, name: 'addressTaken', isWarning: true })
}

/** Returns the email that notifies the previous address of an address change. */
export function addressChangedMail(params: MailParams): Mail {
  return written({ ...params, name: 'addressChanged', isWarning: true })
}

/** Returns the email that notifies the owner of a new device. */
export function deviceAddedMail({ place, ...params }: MailParams & { place: string }): Mail {
  return written({ ...params, name: 'deviceAdded', values: { place }, isWarning: true })
}

/**
 * Returns the email that notifies the owner of an approval request. After `until`, a device that was unlocked with a code sent to
 * this mailbox can approve the new device.
 */
export function deviceAskedMail({
  place,
  until,
  ...params
}: MailParams & {
  place: string
  /** Epoch milliseconds. */
  until: number
}): Mail {
  const time = `${new Date(until).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const page = `${params.site}/wallet`
  return written({ ...params, name: 'deviceAsked', values: { place, time, page }, isWarning: true })
}

interface Written extends MailParams {
  readonly name: MailName
  readonly values?: Readonly<Record<string, string>>
  /** The code to display in large type, for copying. */
  readonly code?: string
  readonly url?: string
  /**
   * Whether the email warns the account's owner about a browser that might belong to someone else. That browser chose the
   * language, which the owner might not read, so the email is also written in English.
   */
  readonly isWarning?: boolean
}

interface Section {
  readonly language: Language
  readonly subject: string
  readonly heading: string
  readonly before: string
  readonly after: string
}

function written({ to, site, language, name, values, code, url, isWarning }: Written): Mail {
  const sections = [...new Set<Language>(isWarning ? [language, 'en'] : [language])].map((language): Section => {
    const text = (part: 'subject' | 'heading' | 'before' | 'after') =>
      filled(language, `${name}.${part}`, { site, ...values })
    return {
      language,
      subject: text('subject'),
      heading: text('heading'),
      before: text('before'),
      after: text('after'),
    }
  })
  const texts = sections.map(({ heading, before, after }) =>
    [heading, before, ...(code ? [code] : []), ...(url ? [url] : []), after].join('\n\n'),
  )
  const subject = sections.map(({ subject }) => subject).join(' / ')
  const html = `<!doctype html>
<html lang="${language}" dir="${direction(language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:32px 16px;background:#f4f4f5;color:#18181b;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
${sections.map((section) => sectionHtml(section, { code, url })).join('')}</body>
</html>
`
  return { to, subject, text: `${texts.join('\n\n———\n\n')}\n`, html }
}

function sectionHtml(
  { language, heading, before, after }: Section,
  { code, url }: { code: string | undefined; url: string | undefined },
): string {
  return `<div lang="${language}" dir="${direction(language)}" style="max-width:440px;margin:0 auto 16px;padding:32px;background:#ffffff;border-radius:16px">
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${escapeHtml(heading)}</h1>
<p style="margin:0 0 24px">${escapeHtml(before)}</p>
${code ? codeHtml(code) : ''}${url ? linkHtml(url, mailText(language, 'approval.link')) : ''}<p style="margin:0;font-size:14px;color:#52525b">${escapeHtml(after)}</p>
</div>
`
}

function codeHtml(code: string): string {
  return `<p dir="ltr" style="margin:0 0 24px;padding:16px;background:#f4f4f5;border-radius:12px;text-align:center;font:600 32px/1 ui-monospace,Menlo,Consolas,monospace;letter-spacing:6px">${escapeHtml(code)}</p>\n`
}

function linkHtml(url: string, label: string): string {
  const href = escapeHtml(url)
  return `<p style="margin:0 0 24px"><a href="${href}" style="display:inline-block;padding:12px 20px;background:#18181b;color:#ffffff;border-radius:12px;text-decoration:none">${escapeHtml(label)}</a></p>
<p dir="ltr" style="margin:0 0 24px;font-size:13px;color:#52525b;word-break:break-all">${href}</p>\n`
}
