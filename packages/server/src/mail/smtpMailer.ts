import type { Mailer } from './mailer.ts'

/**
 * Thrown if the SMTP server did not accept an email. The message contains the server's address and reply code, but no credentials
 * or content.
 */
export class MailServerError extends Error {
  override readonly name = 'MailServerError'
  /** A Node error code or an SMTP reply code. */
  readonly code: string

  constructor(url: string, cause: unknown) {
    const { hostname, port, protocol } = new URL(url)
    const { code, responseCode, command } = (cause ?? {}) as {
      code?: unknown
      responseCode?: unknown
      command?: unknown
    }
    const shown = typeof responseCode === 'number' ? String(responseCode) : typeof code === 'string' ? code : 'unknown'
    const step = typeof command === 'string' && /^[A-Z ]{1,20}$/.test(command) ? ` at ${command}` : ''
    super(
      `SMTP_URL points to ${hostname}:${port || (protocol === 'smtps:' ? '465' : '587')}, which did not accept an email (${shown}${step}): ${hintOf(shown)}`,
    )
    this.code = shown
  }
}

function hintOf(code: string): string {
  if (code === 'ECONNREFUSED') return 'the connection was refused. Is the mail server running?'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EDNS') return 'this host name cannot be resolved.'
  if (code === 'ETIMEDOUT' || code === 'ESOCKET' || code === 'ECONNECTION')
    return 'check host, port, TLS and the firewall.'
  if (code === 'EAUTH' || code === '535' || code === '530') return 'check the user name and password.'
  if (/^4/.test(code)) return 'the server asks to try again later.'
  if (/^5/.test(code)) return 'the server rejected the sender or the recipient. Is it allowed to send from MAIL_FROM?'
  return 'check its log.'
}

/** The maximum number of concurrent deliveries. */
const atOnce = 4
/**
 * The timeout for an email, including its time in the queue, in milliseconds. It is shorter than the 30 s that the user's request
 * can take.
 */
const mailMs = 20_000

/**
 * Creates a mailer for an SMTP server: `smtp://user:secret@mail.example:587`, or `smtps://` for implicit TLS. If the server does
 * not respond, queued emails are dropped after `timeoutMs`. They are not sent later, because the user has already seen an error
 * and can request another email.
 *
 * @example
 * const mailer = smtpMailer({ url: 'smtps://user:secret@mail.example', from: 'Shop <wallet@shop.example>' })
 */
export function smtpMailer({
  url,
  from,
  timeoutMs = mailMs,
}: {
  url: string
  from: string
  timeoutMs?: number
}): Mailer {
  // Loaded when the first email is sent, because nodemailer is not needed earlier.
  const transport = lazily(async () => {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      url,
      pool: true,
      maxConnections: atOnce,
      dnsTimeout: 10_000,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 20_000,
    })
  })
  const turns = createTurns(atOnce)
  return {
    send: async ({ to, subject, text, html }) => {
      const sender = await transport.get()
      const handOver = () =>
        sender.sendMail({
          from,
          // An object, so that the address is never parsed for a name or a second address.
          to: { name: '', address: to },
          subject,
          text,
          html,
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
          disableFileAccess: true,
          disableUrlAccess: true,
        })
      await turns(handOver, timeoutMs).catch((error: unknown) => {
        throw new MailServerError(url, error)
      })
    },
    close: async () => {
      await transport.current()?.then((made) => made.close())
    },
  }
}

/**
 * Returns a function that limits how many tasks run concurrently. The function rejects after `timeoutMs`, and a task that is
 * still queued at that time never runs.
 */
function createTurns(maxBytes: number): (task: () => Promise<unknown>, timeoutMs: number) => Promise<void> {
  const waiting = new Set<() => void>()
  let running = 0
  return (task, timeoutMs) =>
    new Promise((resolve, reject) => {
      const begin = (): void => {
        running += 1
        void task()
          .then(() => resolve(), reject)
          .finally(() => {
            clearTimeout(timer)
            running -= 1
            const [next] = waiting
            if (next === undefined) return
            waiting.delete(next)
            next()
          })
      }
      const timer = setTimeout(() => {
        waiting.delete(begin)
        reject(Object.assign(new Error('The email was not accepted in time'), { code: 'ETIMEDOUT' }))
      }, timeoutMs)
      if (running < maxBytes) begin()
      else waiting.add(begin)
    })
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

/**
 * Returns the log fields for a failed email. Only the name of a custom mailer's error is logged, because its message can contain
 * a user's address.
 */
export function mailFailure(error: unknown): Readonly<Record<string, string>> {
  if (error instanceof MailServerError) return { error: error.name, code: error.code, reason: error.message }
  return { error: error instanceof Error ? error.name : 'unknown' }
}
