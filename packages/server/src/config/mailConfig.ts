import * as v from 'valibot'
import { documented, type Environment, type Variable, variableReader } from './environment.ts'
import { number } from './variableSchemas.ts'

const smtpUrl = v.pipe(
  v.string(),
  v.check(
    (input) => URL.canParse(input) && /^smtps?:$/.test(new URL(input).protocol) && new URL(input).hostname !== '',
    'a URL like smtp://user:secret@mail.example:587',
  ),
)

const mailFrom = v.pipe(
  v.string(),
  v.regex(/^[^\r\n]*[^\s@<>]+@[^\s@<>]+>?$/, 'an email address, like Shop <wallet@shop.example>'),
)

const table = {
  SMTP_URL: {
    fallback: '',
    schema: smtpUrl,
    meaning: 'Mail server, like smtp://user:secret@mail.example:587; required with KEYS_URL',
  },
  MAIL_FROM: {
    fallback: '',
    schema: mailFrom,
    meaning: 'Sender of emails, like Shop <wallet@shop.example>; required with KEYS_URL',
  },
  MAILS_PER_HOUR: {
    fallback: '2000',
    schema: number(1, 10_000_000),
    meaning: 'Maximum number of emails per hour, in total',
  },
} as const

/** The environment variables for sending mail. */
export const mailVariables: readonly Variable[] = documented(table)

/** The configuration for sending mail. */
export interface MailConfig {
  url: string
  from: string
  perHour: number
}

/** Reads the configuration for sending mail. Returns `undefined` if mail is not configured. */
export function readMailConfig(env: Environment): MailConfig | undefined {
  const { read, readIfSet } = variableReader(table, env)
  const [url, from, perHour] = [readIfSet('SMTP_URL'), readIfSet('MAIL_FROM'), read('MAILS_PER_HOUR')]
  return url === undefined || from === undefined ? undefined : { url, from, perHour }
}

/** Reads the configuration for sending mail. Reports an error that mentions `condition` if mail is not configured. */
export function readRequiredMailConfig(env: Environment, condition: string): MailConfig {
  const { read, readRequired } = variableReader(table, env)
  return {
    url: readRequired('SMTP_URL', condition),
    from: readRequired('MAIL_FROM', condition),
    perHour: read('MAILS_PER_HOUR'),
  }
}
