import * as v from 'valibot'
import { storableText } from '../../storableText.ts'
import { defineEndpoint, type Endpoint, type EndpointErrors } from '../endpoint.ts'
import type { KeysUser } from './accountSchemas.ts'
import type { KeysFailureCode } from './errors.ts'
import { half, type Nothing, text } from './fieldSchemas.ts'

// On a cross-site page, the frame has no access to first-party cookies or storage. It hands over requests that need a sign-in or
// an approval to a window on its own origin, through the server. The frame also has a token with which it can check whether
// the sign-in session is still valid.

/** A timestamp in epoch milliseconds. */
const time = v.pipe(v.number(), v.integer(), v.minValue(0))
const nothing: v.GenericSchema<unknown, Nothing> = v.object({})
const user: v.GenericSchema<unknown, KeysUser> = v.object({
  id: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
  email: v.nullable(text(254)),
  userName: v.nullable(storableText(200)),
  createdAt: time,
})

/** The path of the page on the keys origin that handles requests from a cross-site frame. The page cannot be embedded. */
export const continuePath = '/continue'

// --- Handover from a frame to a window -----------------------------------------------------------------------------

/** The maximum length of a sealed request or response, in base64url characters. */
export const maxHandoverBytes = 524_288

/**
 * The lifetime of a handover from its creation, in milliseconds. A window must claim the request and respond within this time.
 */
export const handoverLifeMs: number = 10 * 60_000

/**
 * The states of a request that a cross-site frame hands over to a window on its origin:
 * - `waiting`: no window has claimed the request yet.
 * - `claimed`: a window is showing the request to the user.
 * - `doing`: the user has approved the request, and it can no longer be cancelled.
 * - `closed`: the window was closed without a response.
 * - `answered`: the window has responded.
 */
export const handoverStates = ['waiting', 'claimed', 'doing', 'closed', 'answered'] as const

/** The state of a handover. */
export type HandoverState = (typeof handoverStates)[number]

const sealedQuestion = v.pipe(v.string(), v.maxLength(maxHandoverBytes), v.regex(/^[\w-]+$/))
const handoverState = v.picklist(handoverStates)

/**
 * `POST /vault/handovers`: stores a request for a window, sealed with a key that only the frame and the window have. `id` is
 * derived from the key. The frame needs `secret` to wait for the result.
 */
export const postHandover: Endpoint<{ readonly id: string; readonly sealed: string }, { readonly secret: string }> =
  defineEndpoint({
    method: 'POST',
    path: '/vault/handovers',
    body: v.object({ id: half, sealed: sealedQuestion }),
    answer: v.object({ secret: half }),
  })

/**
 * `POST /vault/handovers/:id/claim`: returns the request to the first window that claims it. If the request has not arrived yet,
 * the server waits a few seconds for it. The window needs `secret` to respond.
 */
export const postHandoverClaim: Endpoint<undefined, { readonly sealed: string; readonly secret: string }> =
  defineEndpoint({
    method: 'POST',
    path: '/vault/handovers/:id/claim',
    answer: v.object({ sealed: sealedQuestion, secret: half }),
  })

/** `POST /vault/handovers/:id/wait`: waits up to 25 seconds for the state to change from `seen`. Accepts either secret. */
export const postHandoverWait: Endpoint<
  { readonly secret: string; readonly seen: HandoverState },
  { readonly state: HandoverState; readonly sealed: string | null }
> = defineEndpoint({
  method: 'POST',
  path: '/vault/handovers/:id/wait',
  body: v.object({ secret: half, seen: handoverState }),
  answer: v.object({ state: handoverState, sealed: v.nullable(sealedQuestion) }),
})

/** `POST /vault/handovers/:id/step`: updates the state on behalf of the window. With `answered`, `sealed` is the response. */
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

/** `POST /vault/handovers/:id/end`: cancels the frame's request. Fails with `handover/taken` if the state is already `doing`. */
export const postHandoverEnd: Endpoint<{ readonly secret: string }, Nothing> = defineEndpoint({
  method: 'POST',
  path: '/vault/handovers/:id/end',
  body: v.object({ secret: half }),
  answer: nothing,
})

// --- Sign-in on cross-site pages -----------------------------------------------------------------------------------

/** A token and the origin of the page whose frame uses it. */
export interface PageConnection {
  /** The token returned by `postConnection`: 32 bytes in base64url. */
  readonly token: string
  /** The page's origin. */
  readonly page: string
}

const pageConnection: v.GenericSchema<unknown, PageConnection> = v.object({ token: half, page: text(300) })

/**
 * `POST /vault/connections`: returns a token for the frame on a cross-site page, which has no cookie. The token can only be used
 * to check and end the current sign-in session, and expires with the session.
 */
export const postConnection: Endpoint<{ readonly page: string }, { readonly token: string }> = defineEndpoint({
  method: 'POST',
  path: '/vault/connections',
  body: v.object({ page: text(300) }),
  answer: v.object({ token: half }),
})

/** `POST /vault/connections/me`: returns the user that a token belongs to. Fails with `session/none` if the session has ended. */
export const postConnectionMe: Endpoint<
  PageConnection,
  { readonly user: KeysUser; readonly since: number; readonly expiresAt: number; readonly now: number }
> = defineEndpoint({
  method: 'POST',
  path: '/vault/connections/me',
  body: pageConnection,
  answer: v.object({ user, since: time, expiresAt: time, now: time }),
})

/** `POST /vault/connections/sign-out`: ends the sign-in session that a token belongs to. Succeeds even if there is no session. */
export const postConnectionSignOut: Endpoint<PageConnection, Nothing> = defineEndpoint({
  method: 'POST',
  path: '/vault/connections/sign-out',
  body: pageConnection,
  answer: nothing,
})

/** The errors of these endpoints, in addition to `commonKeysErrors`. */
export const crossSiteErrors: EndpointErrors<KeysFailureCode> = [
  [postHandover, 'handover/taken'],
  [postHandoverClaim, 'handover/unknown', 'handover/taken'],
  [postHandoverWait, 'handover/unknown'],
  [postHandoverStep, 'handover/unknown'],
  [postHandoverEnd, 'handover/taken'],
  [postConnection, 'session/none'],
  [postConnectionMe, 'session/none'],
]
