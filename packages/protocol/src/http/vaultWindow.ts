import * as v from 'valibot'
import { plainText } from '../text.ts'
import type { Nothing, VaultCall, VaultUser } from './vault.ts'

// On a page of another site the frame has neither cookie nor storage of its own site: what needs a sign-in or a yes it hands over to a
// window of its origin, by way of the server, and keeps a token that says whether the sign-in lives.

/* @__NO_SIDE_EFFECTS__ */
const text = (most: number) => v.pipe(plainText(most), v.nonEmpty())
const half = v.pipe(v.string(), v.regex(/^[\w-]{43}$/))
/** Milliseconds since 1970. */
const time = v.pipe(v.number(), v.integer(), v.minValue(0))
const nothing: v.GenericSchema<unknown, Nothing> = v.object({})
const user: v.GenericSchema<unknown, VaultUser> = v.object({
  id: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
  email: v.nullable(text(254)),
  userName: v.nullable(plainText(200)),
  createdAt: time,
})

/** The page of the keys origin in which a frame on a page of another site has questions answered. It stands alone as well. */
export const continuePath = '/continue'

// --- From a frame to a window --------------------------------------------------------------------------------------

/** The longest sealed question or answer, in characters of base64url. */
export const maxHandoverBytes = 524_288

/** How long a question waits for its window, and a window for its person. */
export const handoverLifeMs: number = 10 * 60_000

/**
 * How far a question has come that a frame on another site hands over to a window of its origin. `waiting`: no window has claimed it yet;
 * `doing`: the person said yes, and nobody takes it back any more; `closed`: the window was closed without an answer.
 */
export const handoverStates = ['waiting', 'claimed', 'doing', 'closed', 'answered'] as const

/** How far a question has come. */
export type HandoverState = (typeof handoverStates)[number]

const sealedQuestion = v.pipe(v.string(), v.maxLength(maxHandoverBytes), v.regex(/^[\w-]+$/))
const handoverState = v.picklist(handoverStates)

/**
 * `POST /vault/handovers`: a question for a window, sealed with a key that only frame and window have; `id` is derived from that key.
 * `secret` is the frame's, to hear what becomes of it.
 */
export const postHandover: VaultCall<{ readonly id: string; readonly sealed: string }, { readonly secret: string }> = {
  method: 'POST',
  path: '/vault/handovers',
  body: v.object({ id: half, sealed: sealedQuestion }),
  answer: v.object({ secret: half }),
}

/**
 * `POST /vault/handovers/:id/claim`: the question, for the first window that asks; waits a few seconds for one that is still on its way.
 * `secret` is the window's, to answer with.
 */
export const postHandoverClaim: VaultCall<undefined, { readonly sealed: string; readonly secret: string }> = {
  method: 'POST',
  path: '/vault/handovers/:id/claim',
  answer: v.object({ sealed: sealedQuestion, secret: half }),
}

/** `POST /vault/handovers/:id/wait`: waits up to 25 s until it is no longer in the state `seen`. With the frame's or the window's secret. */
export const postHandoverWait: VaultCall<
  { readonly secret: string; readonly seen: HandoverState },
  { readonly state: HandoverState; readonly sealed: string | null }
> = {
  method: 'POST',
  path: '/vault/handovers/:id/wait',
  body: v.object({ secret: half, seen: handoverState }),
  answer: v.object({ state: handoverState, sealed: v.nullable(sealedQuestion) }),
}

/** `POST /vault/handovers/:id/step`: the window goes on: it does what was asked, has done it (`sealed` is its answer), or is closed. */
export const postHandoverStep: VaultCall<
  {
    readonly secret: string
    readonly state: 'doing' | 'closed' | 'answered'
    readonly sealed?: string | undefined
  },
  Nothing
> = {
  method: 'POST',
  path: '/vault/handovers/:id/step',
  body: v.object({
    secret: half,
    state: v.picklist(['doing', 'closed', 'answered']),
    sealed: v.optional(sealedQuestion),
  }),
  answer: nothing,
}

/** `POST /vault/handovers/:id/end`: the frame takes it back; `handover/taken` once the window is doing it. */
export const postHandoverEnd: VaultCall<{ readonly secret: string }, Nothing> = {
  method: 'POST',
  path: '/vault/handovers/:id/end',
  body: v.object({ secret: half }),
  answer: nothing,
}

// --- What a page of another site holds of a sign-in ----------------------------------------------------------------

/** Which page holds it, and what it holds. */
export interface PageConnection {
  readonly token: string
  /** The page's origin. */
  readonly page: string
}

const pageConnection: v.GenericSchema<unknown, PageConnection> = v.object({ token: half, page: text(300) })

/**
 * `POST /vault/connections`: a token for the frame on a page of another site, which has no cookie. It says whether this sign-in lives, and
 * ends with it; it opens nothing.
 */
export const postConnection: VaultCall<{ readonly page: string }, { readonly token: string }> = {
  method: 'POST',
  path: '/vault/connections',
  body: v.object({ page: text(300) }),
  answer: v.object({ token: half }),
}

/** `POST /vault/connections/me`: who is behind a token; `session/none` when that sign-in has ended. */
export const postConnectionMe: VaultCall<
  PageConnection,
  { readonly user: VaultUser; readonly since: number; readonly expiresAt: number; readonly now: number }
> = {
  method: 'POST',
  path: '/vault/connections/me',
  body: pageConnection,
  answer: v.object({ user, since: time, expiresAt: time, now: time }),
}

/** `POST /vault/connections/sign-out`: ends the sign-in behind a token. Answers well also when there was none. */
export const postConnectionSignOut: VaultCall<PageConnection, Nothing> = {
  method: 'POST',
  path: '/vault/connections/sign-out',
  body: pageConnection,
  answer: nothing,
}
