import * as v from 'valibot'
import { plainText } from '../plainText.ts'
import { defineEndpoint, type Endpoint } from './endpoint.ts'
import type { Nothing, VaultUser } from './vault.ts'

// On a cross-site page the frame has no first-party cookies or storage. It hands over requests that need a sign-in or an approval to a window of its
// origin, through the server, and holds a token that shows whether the sign-in session is still valid.

/* @__NO_SIDE_EFFECTS__ */
const text = (max: number) => v.pipe(plainText(max), v.nonEmpty())
const half = v.pipe(v.string(), v.regex(/^[\w-]{43}$/))
/** Epoch milliseconds. */
const time = v.pipe(v.number(), v.integer(), v.minValue(0))
const nothing: v.GenericSchema<unknown, Nothing> = v.object({})
const user: v.GenericSchema<unknown, VaultUser> = v.object({
  id: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
  email: v.nullable(text(254)),
  userName: v.nullable(plainText(200)),
  createdAt: time,
})

/** The page of the keys origin that handles requests of a cross-site frame. It cannot be embedded in a frame. */
export const continuePath = '/continue'

// --- Handover from a frame to a window -----------------------------------------------------------------------------

/** Maximum length of a sealed request or response, in base64url characters. */
export const maxHandoverBytes = 524_288

/** How long a request waits for its window, and a window for its user, in milliseconds. */
export const handoverLifeMs: number = 10 * 60_000

/**
 * The states of a request that a cross-site frame hands over to a window of its origin. `waiting`: not claimed by a window yet. `doing`: approved by
 * the user and no longer cancellable. `closed`: the window was closed without a response.
 */
export const handoverStates = ['waiting', 'claimed', 'doing', 'closed', 'answered'] as const

/** The state of a handover. */
export type HandoverState = (typeof handoverStates)[number]

const sealedQuestion = v.pipe(v.string(), v.maxLength(maxHandoverBytes), v.regex(/^[\w-]+$/))
const handoverState = v.picklist(handoverStates)

/**
 * `POST /vault/handovers`: stores a request for a window, sealed with a key that only the frame and the window have. `id` is derived from that
 * key. `secret` lets the frame wait for the result.
 */
export const postHandover: Endpoint<{ readonly id: string; readonly sealed: string }, { readonly secret: string }> =
  defineEndpoint({
    method: 'POST',
    path: '/vault/handovers',
    body: v.object({ id: half, sealed: sealedQuestion }),
    answer: v.object({ secret: half }),
  })

/**
 * `POST /vault/handovers/:id/claim`: returns the request to the first window that claims it. Waits a few seconds if it has not arrived yet.
 * `secret` lets the window respond.
 */
export const postHandoverClaim: Endpoint<undefined, { readonly sealed: string; readonly secret: string }> =
  defineEndpoint({
    method: 'POST',
    path: '/vault/handovers/:id/claim',
    answer: v.object({ sealed: sealedQuestion, secret: half }),
  })

/** `POST /vault/handovers/:id/wait`: waits up to 25 s until the state is no longer `seen`. Accepts the frame's or the window's secret. */
export const postHandoverWait: Endpoint<
  { readonly secret: string; readonly seen: HandoverState },
  { readonly state: HandoverState; readonly sealed: string | null }
> = defineEndpoint({
  method: 'POST',
  path: '/vault/handovers/:id/wait',
  body: v.object({ secret: half, seen: handoverState }),
  answer: v.object({ state: handoverState, sealed: v.nullable(sealedQuestion) }),
})

/** `POST /vault/handovers/:id/step`: updates the state from the window: it carries out the request, has a response (`sealed`), or is closed. */
export const postHandoverStep: Endpoint<
  {
    readonly secret: string
    readonly state: 'doing' | 'closed' | 'answered'
    readonly sealed?: string | undefined
  },
  Nothing
> = defineEndpoint({
  method: 'POST',
  path: '/vault/handovers/:id/step',
  body: v.object({
    secret: half,
    state: v.picklist(['doing', 'closed', 'answered']),
    sealed: v.optional(sealedQuestion),
  }),
  answer: nothing,
})

/** `POST /vault/handovers/:id/end`: cancels the request from the frame. Fails with `handover/taken` once the window carries it out. */
export const postHandoverEnd: Endpoint<{ readonly secret: string }, Nothing> = defineEndpoint({
  method: 'POST',
  path: '/vault/handovers/:id/end',
  body: v.object({ secret: half }),
  answer: nothing,
})

// --- Sign-in on cross-site pages -----------------------------------------------------------------------------------

/** A token and the page that holds it. */
export interface PageConnection {
  /** The token returned by `postConnection`: 32 bytes in base64url. */
  readonly token: string
  /** The page's origin. */
  readonly page: string
}

const pageConnection: v.GenericSchema<unknown, PageConnection> = v.object({ token: half, page: text(300) })

/**
 * `POST /vault/connections`: returns a token for the frame on a cross-site page, which has no cookie. It only shows whether this sign-in session is
 * valid, and expires with it.
 */
export const postConnection: Endpoint<{ readonly page: string }, { readonly token: string }> = defineEndpoint({
  method: 'POST',
  path: '/vault/connections',
  body: v.object({ page: text(300) }),
  answer: v.object({ token: half }),
})

/** `POST /vault/connections/me`: returns the user of a token. Fails with `session/none` if the sign-in session has ended. */
export const postConnectionMe: Endpoint<
  PageConnection,
  { readonly user: VaultUser; readonly since: number; readonly expiresAt: number; readonly now: number }
> = defineEndpoint({
  method: 'POST',
  path: '/vault/connections/me',
  body: pageConnection,
  answer: v.object({ user, since: time, expiresAt: time, now: time }),
})

/** `POST /vault/connections/sign-out`: ends the sign-in session of a token. Succeeds even if there is none. */
export const postConnectionSignOut: Endpoint<PageConnection, Nothing> = defineEndpoint({
  method: 'POST',
  path: '/vault/connections/sign-out',
  body: pageConnection,
  answer: nothing,
})
