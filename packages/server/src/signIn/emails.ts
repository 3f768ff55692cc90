import { randomUUID } from 'node:crypto'
import { codeLifeMs } from '@latchkey/protocol/http/vault'
import type { SignInFields } from '@latchkey/protocol/signIn'
import { plainText } from '@latchkey/protocol/text'
import * as v from 'valibot'
import { jsonWithin } from '../body.ts'
import { clientBlock, clientGroup } from '../clientAddress.ts'
import type { Connection } from '../data/connection.ts'
import { Failure } from '../failure.ts'
import { type Codes, createCodes } from '../vault/codes.ts'
import { createLimits, type Limit, type Limits } from '../vault/limits.ts'
import { codeMail } from '../vault/mails.ts'
import { createPending, sweepPending } from '../vault/pending.ts'
import type { Mailer } from '../vault/ports.ts'
import { Refusal } from '../vault/refusal.ts'
import { createDigest } from '../vault/secrets.ts'
import { canonicalAccount } from './account.ts'
import type { Asked } from './carrier.ts'
import { answer, type Call } from './desk.ts'

const minute = 60_000
const day = 24 * 60 * minute
const most = 4096

/** An address, and the account and project that it is said to be of. */
interface Said {
  readonly email: string
  readonly account: string
  readonly projectId: string
}
const said: v.GenericSchema<unknown, Said> = v.object({ email: v.string(), account: v.string(), projectId: v.string() })

/** Addresses that whoever signs in says are theirs. */
export interface SignInEmails {
  readonly calls: Readonly<Record<'POST otp' | 'PUT otp', Call>>
  /** The verified address that a message names (`email:…` among its resources); refuses one that nobody verified. */
  emailOf(asked: Asked, fields: SignInFields): Promise<string | undefined>
  sweep(): Promise<void>
}

/** `POST otp` mails a code of six digits, `PUT otp` takes it, and a sign-in with that `x-otp` has the address. Without a mailer there are none. */
export function createEmails({
  connection,
  secret,
  mailer,
  mailsPerHour,
  now,
}: {
  connection: Connection
  /** Keys the digests of what is kept; asked for with the first mail. */
  secret: () => Promise<string>
  mailer: Mailer | undefined
  mailsPerHour: number
  now: () => number
}): SignInEmails {
  let made: Promise<{ codes: Codes<Said>; limits: Limits }> | undefined
  const kit = () => {
    made ??= secret().then((key) => {
      const digest = createDigest([key])
      const codes = createCodes({ connection, digest, purpose: 'sign-in-email', data: said, now })
      return { codes, limits: createLimits({ connection, digest, now }) }
    })
    return made
  }
  const verified = createPending({ connection, kind: 'sign-in-email', data: said, lifeMs: codeLifeMs, now })

  return {
    calls: {
      'POST otp': told(async ({ request, place, page, address }) => {
        const read = v.safeParse(asks, await jsonWithin(request, most))
        if (!read.success) throw new Failure(400, 'email', 'email and account are needed')
        if (!mailer || page === undefined) return answer({ uuid: null })
        const { email, account } = read.output
        const { codes, limits } = await kit()
        const network = clientGroup(address)
        const block = clientBlock(address)
        const here = block === null ? null : `${email} ${block}`
        await limits.spend(
          // Less than the mailbox may get: one stranger does not use it up for its owner.
          { what: 'mail-to-from', whom: here, most: 4, windowMs: 10 * minute },
          { what: 'mail-to-from-a-day', whom: here, most: 10, windowMs: day },
          { what: 'mail-from', whom: network, most: 30, windowMs: 10 * minute },
          { what: 'mail-to', whom: email, most: 12, windowMs: 10 * minute },
          { what: 'mail-to-a-day', whom: email, most: 40, windowMs: day },
          { what: 'mail-in-all', most: mailsPerHour, windowMs: 60 * minute },
        )
        const uuid = randomUUID()
        const data = { email, account: canonicalAccount(account), projectId: place.projectId }
        const otp = await codes.issue({ flow: uuid, email, data })
        await mailer.send(codeMail({ to: email, otp, site: new URL(page).host })).catch(() => {
          throw new Failure(503, 'email', 'The mail could not be sent')
        })
        return answer({ uuid })
      }),
      'PUT otp': told(async ({ request, address }) => {
        const read = v.safeParse(v.object({ code: plainText(64) }), await jsonWithin(request, most))
        if (!read.success) throw new Failure(400, 'code', 'code is needed')
        const uuid = request.headers.get('x-otp') ?? ''
        const { codes, limits } = await kit()
        const network = clientGroup(address)
        const block = clientBlock(address)
        // Only tries of a code that lives count against its mailbox; a right one is given back.
        const guesses = ({ email }: Said): readonly Limit[] => [
          { what: 'guess-here', whom: block === null ? null : `${email} ${block}`, most: 10, windowMs: day },
          { what: 'guess', whom: email, most: 50, windowMs: day },
        ]
        const data = await codes.redeem({
          flow: uuid,
          otp: read.output.code,
          email: ({ email }) => email,
          gone: () => limits.spend({ what: 'guess-from', whom: network, most: 100, windowMs: 10 * minute }),
          tried: (data) => limits.spend(...guesses(data)),
          right: (data) => limits.giveBack(...guesses(data)),
        })
        await verified.put({ flow: uuid, secret: '', data })
        return answer({})
      }),
    },
    emailOf: async ({ request, place }, { resources = [], chainId, accountAddress }) => {
      const named = resources
        .find((one) => one.startsWith('email:'))
        ?.slice('email:'.length)
        .toLowerCase()
      if (named === undefined || !mailer) return undefined
      const uuid = request.headers.get('x-otp') ?? ''
      const step = await verified.find(uuid)
      const account = canonicalAccount(`${chainId}:${accountAddress}`)
      const isTheirs =
        step?.data.email === named && step.data.account === account && step.data.projectId === place.projectId
      // Of any number that race with one proof, one gets it.
      if (!isTheirs || !(await verified.take(uuid, ''))) throw new Failure(401, 'otp', 'OTP is required')
      return named
    },
    sweep: async () => {
      await sweepPending({ connection, now })
      await (await made)?.limits.sweep()
    },
  }
}

const asks = v.object({
  email: v.pipe(plainText(254), v.trim(), v.toLowerCase(), v.email()),
  account: v.pipe(plainText(256), v.regex(/^[^:\s]+:[^:\s]+:[^:\s]+$/)),
})

/** Says in the words of this wire what the vault's parts refuse. */
function told(call: Call): Call {
  return (asked) =>
    call(asked).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error
      const { code, message, details } = error
      throw code === 'limit/reached'
        ? new Failure(429, 'email', message, details.seconds)
        : new Failure(401, 'code', message)
    })
}
