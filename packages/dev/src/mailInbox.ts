import type { AddressInfo } from 'node:net'
import { type Mailer, smtpMailer } from '@latchkey/server'
import { escapeHtml } from './escapeHtml.ts'
import type { StaticSite } from './staticSite.ts'

const maxMails = 200

/** A received email. */
export interface ReceivedMail {
  readonly id: number
  readonly at: string
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** A local mailbox for all addresses, with an SMTP server that stores emails and a page that displays them. */
export interface Inbox {
  /** Sends emails to the SMTP server, which starts with the first email. */
  readonly mailer: Mailer
  /** Serves the emails, newest first: as a page at `/`, and as JSON for tests at `/mails.json?to=…`. */
  readonly site: StaticSite
  /** Resolves to the URL of the SMTP server. */
  url(): Promise<string>
  close(): Promise<void>
}

/** Creates an empty inbox. */
export function createInbox({ from }: { from: string }): Inbox {
  const mails: ReceivedMail[] = []
  let last = 0
  let running: Promise<{ url: string; close: () => Promise<void> }> | undefined
  let sender: Promise<Mailer> | undefined

  async function start(): Promise<{ url: string; close: () => Promise<void> }> {
    const [{ SMTPServer }, { default: PostalMime }] = await Promise.all([import('smtp-server'), import('postal-mime')])
    const server = new SMTPServer({
      // The server only listens on the loopback address, so it needs neither encryption nor authentication.
      disabledCommands: ['AUTH', 'STARTTLS'],
      size: 1_000_000,
      onData: async (stream, session, done) => {
        try {
          const chunks: Buffer[] = []
          for await (const chunk of stream) chunks.push(chunk as Buffer)
          const mail = await PostalMime.parse(Buffer.concat(chunks))
          last += 1
          mails.unshift({
            id: last,
            at: new Date().toISOString(),
            from: mail.from?.address ?? '',
            // The recipients are those in the SMTP envelope, not those in the headers.
            to: session.envelope.rcptTo.map(({ address }) => address.toLowerCase()),
            subject: mail.subject ?? '',
            text: mail.text ?? '',
            html: mail.html ?? '',
          })
          mails.length = Math.min(mails.length, maxMails)
          done()
        } catch (error) {
          done(error instanceof Error ? error : new Error('The email is not valid'))
        }
      },
    })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(0, '127.0.0.1', () => resolve())
    })
    const { port } = server.server.address() as AddressInfo
    return { url: `smtp://127.0.0.1:${port}`, close: () => new Promise((resolve) => server.close(() => resolve())) }
  }

  const url = async (): Promise<string> => {
    running ??= start()
    return (await running).url
  }
  const send: Mailer['send'] = async (mail) => {
    sender ??= url().then((found) => smtpMailer({ url: found, from }))
    await (await sender).send(mail)
  }

  return {
    url,
    mailer: { send, close: async () => {} },
    site: async (request) => {
      const { pathname, searchParams } = new URL(request.url)
      if (request.method !== 'GET') return new Response(null, { status: 405 })
      const to = searchParams.get('to')?.toLowerCase()
      const found = to === undefined ? mails : mails.filter((mail) => mail.to.includes(to))
      if (pathname === '/mails.json') return Response.json(found, { headers: { 'cache-control': 'no-store' } })
      if (pathname === '/inbox.css') return new Response(style, { headers: { 'content-type': 'text/css' } })
      const mail = /^\/mails\/(\d+)\.html$/.exec(pathname)?.[1]
      if (mail !== undefined) return renderedMail(mails.find(({ id }) => id === Number(mail)))
      if (pathname !== '/') return new Response('Not found', { status: 404 })
      return new Response(inboxPage(found), { headers: pageHeaders })
    },
    close: async () => {
      await (await sender)?.close()
      await (await running)?.close()
    },
  }
}

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Renders the HTML of an email as an email client would: without scripts, external resources or navigation. */
function renderedMail(mail: ReceivedMail | undefined): Response {
  if (!mail) return new Response('Not found', { status: 404 })
  return new Response(mail.html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    },
  })
}

function inboxPage(mails: readonly ReceivedMail[]): string {
  const rows = mails.map(
    ({ id, at, from, to, subject, text, html }) => `<article>
<h2>${escapeHtml(subject)}</h2>
<p><b>${escapeHtml(to.join(', '))}</b> from ${escapeHtml(from)}, <time datetime="${at}">${at.slice(11, 19)}</time></p>
<pre>${linked(text)}</pre>
${html ? `<details><summary>Preview</summary><iframe sandbox="" title="Email" src="/mails/${id}.html"></iframe></details>` : ''}
</article>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="5">
<title>Inbox</title>
<link rel="stylesheet" href="/inbox.css">
</head>
<body>
<main>
<h1>Inbox</h1>
<p>All emails that the local environment sends arrive here, regardless of the recipient. Nothing leaves the machine.</p>
${rows.length > 0 ? rows.join('\n') : '<p>No emails yet.</p>'}
</main>
</body>
</html>
`
}

const style = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif }
body { margin: 0; background: light-dark(#f4f4f5, #18181b); color: light-dark(#18181b, #f4f4f5) }
main { box-sizing: border-box; width: min(100%, 720px); margin: 0 auto; padding: 32px 16px }
article { margin: 16px 0; padding: 20px; border-radius: 16px; background: light-dark(#fff, #27272a) }
h1, h2 { margin: 0 0 4px; line-height: 1.3 } h2 { font-size: 18px }
p { margin: 0 0 8px; color: light-dark(#52525b, #a1a1aa); overflow-wrap: anywhere }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font: inherit }
iframe { width: 100%; height: 420px; border: 0; border-radius: 12px; background: #fff }
summary { cursor: pointer; margin-top: 12px } a { color: inherit }
`

function linked(text: string): string {
  return escapeHtml(text).replace(
    /https?:\/\/[^\s<>"']+/g,
    (url) => `<a href="${url}" target="_blank" rel="noopener noreferrer">${url}</a>`,
  )
}
