import { randomUUID } from 'node:crypto'
import { codeLifeMs } from '@latchkey/protocol/http/keys'
import { postSignInCode, putSignInCode } from '@latchkey/protocol/http/signInRoutes'
import {
  AuthError,
  type AuthRequest,
  canonicalAccount,
  type Handler,
  jsonResponse,
  readBody,
  type SignInRoute,
} from '@latchkey/siwx/server'
import type { SignInFields } from '@latchkey/siwx/signIn'
import * as v from 'valibot'
import { type Codes, createCodes } from '../emailCodes/emailCodes.ts'
import { spendMail } from '../emailCodes/mailRateLimits.ts'
import { VerificationError } from '../emailCodes/verificationError.ts'
import { clientBlock, clientGroup, ipAddressGroups } from '../ipAddresses/ipAddressGroups.ts'
import type { Mailer } from '../mail/mailer.ts'
import { codeMail } from '../mail/mailTemplates.ts'
import { normalizeEmail } from '../mail/normalizeEmail.ts'
import { requestLanguage } from '../mail/requestLanguage.ts'
import { type ActionLimit, type ActionLimits, createActionLimits } from '../rateLimits/actionLimits.ts'
import type { Connection } from '../storage/databaseConnection.ts'
import { createPendingStepStore, sweepPending } from '../storage/pendingStepStore.ts'
import { createDigest } from '../storage/secretDigests.ts'

const minute = 60_000
const day = 24 * 60 * minute
const maxBytes = 4096

/**
 * The maximum number of wrong codes per mailbox and day. After that, only the first try of each emailed code is compared, so that
 * strangers cannot prevent the owner from entering a code. At most 136 emails a day are sent to a mailbox, so at most 156 wrong
 * codes a day are compared.
 */
const maxGuesses = 20

/** An email address, with the account and project for which it was entered. */
interface CodeData {
  readonly email: string
  readonly account: string
  readonly projectId: string
}
const codeData: v.GenericSchema<unknown, CodeData> = v.object({
  email: v.string(),
  account: v.string(),
  projectId: v.string(),
})

/** Verifies the email addresses that users enter when they sign in. */
export interface EmailVerification {
  readonly routes: Readonly<Record<'postCode' | 'putCode', SignInRoute>>
  /** Resolves to the email address in a message's resources (`email:…`), if any. Rejects if the address has not been verified. */
  emailOf(request: AuthRequest, fields: SignInFields): Promise<string | undefined>
  sweep(): Promise<void>
}

/**
 * Creates email verification for sign-in. `POST otp` mails a six-digit code, and `PUT otp` verifies the code. A sign-in with the
 * same `x-otp` header then includes the address. Without a mailer, verification is disabled.
 */
export function createEmailVerification({
  connection,
  secret,
  mailer,
  mailsPerHour,
  now,
}: {
  connection: Connection
  /** Resolves to the secret for the stored digests. Called on the first request. */
  secret: () => Promise<string>
  mailer: Mailer | undefined
  mailsPerHour: number
  now: () => number
}): EmailVerification {
  let made: Promise<{ codes: Codes<CodeData>; limits: ActionLimits }> | undefined
  const kit = () => {
    made ??= secret().then((key) => {
      const digest = createDigest([key])
      const codes = createCodes({ connection, digest, purpose: 'sign-in-email', data: codeData, now })
      return { codes, limits: createActionLimits({ connection, digest, now }) }
    })
    return made
  }
  const verified = createPendingStepStore({
    connection,
    kind: 'sign-in-email',
    data: codeData,
    lifetimeMs: codeLifeMs,
    now,
  })

  return {
    routes: {
      postCode: mailed(postSignInCode, async ({ request, relyingParty, page, address }) => {
        const { email: typed, account } = await readBody(request, postSignInCode, {
          maxBytes,
          field: 'email',
          description: 'email and account are required',
        })
        const email = normalizeEmail(typed)
        if (email === undefined) throw new AuthError(400, 'email', 'Invalid email')
        if (!mailer || page === undefined) return jsonResponse({ uuid: null })
        const { codes, limits } = await kit()
        const context = {
          network: clientGroup(address),
          networks: ipAddressGroups(address),
          block: clientBlock(address),
        }
        await spendMail({ limits, context, requester: { email }, mailsPerHour })
        const uuid = randomUUID()
        const data = { email, account: canonicalAccount(account), projectId: relyingParty.projectId }
        const otp = await codes.issue({ flow: uuid, email, data })
        await mailer
          .send(codeMail({ to: email, otp, site: new URL(page).host, language: requestLanguage(request.headers) }))
          .catch(() => {
            throw new AuthError(503, 'email', 'The email could not be sent')
          })
        return jsonResponse({ uuid })
      }),
      putCode: mailed(putSignInCode, async ({ request, address }) => {
        const { code } = await readBody(request, putSignInCode, {
          maxBytes,
          field: 'code',
          description: 'code is required',
        })
        const uuid = request.headers.get('x-otp') ?? ''
        const { codes, limits } = await kit()
        const network = clientGroup(address)
        const block = clientBlock(address)
        // Only attempts at a pending code count toward the limits for the mailbox. Entering a correct code does not count.
        const guesses = ({ email }: CodeData): readonly [here: ActionLimit, all: ActionLimit] => [
          { action: 'guess-here', key: block === null ? null : `${email} ${block}`, max: 10, windowMs: day },
          { action: 'guess', key: email, max: maxGuesses, windowMs: day },
        ]
        const data = await codes.verify({
          flow: uuid,
          otp: code,
          email: ({ email }) => email,
          gone: () => limits.spend({ action: 'guess-from', key: network, max: 100, windowMs: 10 * minute }),
          tried: async (data, isFirst) => {
            const [here, all] = guesses(data)
            await limits.spend(here)
            await limits.spend(all).catch((error: unknown) => {
              const isLimit = error instanceof VerificationError && error.code === 'limit/reached'
              if (!isLimit || !isFirst) throw error
            })
          },
          right: (data) => limits.giveBack(...guesses(data)),
        })
        await verified.put({ flow: uuid, secret: '', data })
        return jsonResponse({})
      }),
    },
    emailOf: async ({ request, relyingParty }, { resources = [], chainId, accountAddress }) => {
      const resource = resources.find((resource) => resource.startsWith('email:'))
      if (resource === undefined || !mailer) return undefined
      // Compared in the canonical form, in which the address was stored and the code was sent.
      const named = normalizeEmail(decodeUri(resource.slice('email:'.length)))
      const uuid = request.headers.get('x-otp') ?? ''
      const step = await verified.find(uuid)
      const account = canonicalAccount(`${chainId}:${accountAddress}`)
      const isTheirs =
        named !== undefined &&
        step?.data.email === named &&
        step.data.account === account &&
        step.data.projectId === relyingParty.projectId
      // `take()` succeeds only once, so only one of several concurrent requests with the same proof succeeds.
      if (!isTheirs || !(await verified.take(uuid, ''))) throw new AuthError(401, 'otp', 'OTP is required')
      return named
    },
    sweep: async () => {
      await sweepPending({ connection, now })
      await (await made)?.limits.sweep()
    },
  }
}

/** Returns a route that converts errors of codes and limits to errors of the sign-in API. */
function mailed(endpoint: SignInRoute['endpoint'], handle: Handler): SignInRoute {
  return {
    endpoint,
    handle: (request) =>
      handle(request).catch((error: unknown) => {
        if (!(error instanceof VerificationError)) throw error
        const { code, message, details } = error
        throw code === 'limit/reached'
          ? new AuthError(429, 'email', message, details.seconds)
          : new AuthError(401, 'code', message)
      }),
  }
}

/** Decodes a percent-encoded part of a URI. Returns an empty string if the encoding is invalid. */
function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
