import type { Mailer } from './ports.ts'

/** Hands mail to an SMTP server: `smtp://user:secret@mail.example:587`, or `smtps://` for TLS from the start. */
export function smtpMailer({ url, from }: { url: string; from: string }): Mailer {
  // Only when the first mail is sent: most of a server's life is not about mail.
  const transport = lazily(async () => {
    const { createTransport } = await import('nodemailer')
    return createTransport({ url, pool: true, maxConnections: 4, connectionTimeout: 10_000, socketTimeout: 20_000 })
  })
  return {
    send: async ({ to, subject, text, html }) => {
      await (await transport.get()).sendMail({
        from,
        // As an object: a name or a second address can never be read out of it.
        to: { name: '', address: to },
        subject,
        text,
        html,
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        disableFileAccess: true,
        disableUrlAccess: true,
      })
    },
    close: async () => {
      await transport.current()?.then((made) => made.close())
    },
  }
}

function lazily<T>(make: () => Promise<T>): { get: () => Promise<T>; current: () => Promise<T> | undefined } {
  let made: Promise<T> | undefined
  return {
    get: () => {
      made ??= make()
      return made
    },
    current: () => made,
  }
}
