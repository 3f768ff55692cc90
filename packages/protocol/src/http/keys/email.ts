import * as v from 'valibot'
import { defineEndpoint, type Endpoint, type EndpointErrors } from '../endpoint.ts'
import { type KeysUser, user } from './accountSchemas.ts'
import type { KeysFailureCode } from './errors.ts'
import { address, type Nothing, nothing, otp, visitorId } from './fieldSchemas.ts'

/** The lifetime of a code or an approval link, in milliseconds. */
export const codeLifeMs: number = 10 * 60_000

/** The maximum number of attempts to enter a code. */
export const codeTries = 5

/** The minimum time before the same frame can request another code, in milliseconds. */
export const resendAfterMs = 30_000

/**
 * `POST /vault/email`: emails a code, or a link to approve this browser. The response does not reveal whether an account exists.
 * If the user is already signed in with this address, no email is sent and the action is `CONNECT`, unless `again` is `true`.
 */
export const postEmail: Endpoint<
  { readonly email: string; readonly again?: boolean | undefined; readonly visitorId?: string | undefined },
  { readonly action: 'VERIFY_OTP' | 'VERIFY_DEVICE' | 'CONNECT' }
> = defineEndpoint({
  method: 'POST',
  path: '/vault/email',
  body: v.object({ email: address, again: v.optional(v.boolean()), visitorId: v.optional(visitorId) }),
  answer: v.object({ action: v.picklist(['VERIFY_OTP', 'VERIFY_DEVICE', 'CONNECT']) }),
})

/**
 * `POST /vault/email/device`: waits up to 25 s until the user approves this browser on the page that the emailed link opens.
 * `approved` means that a code was emailed. Repeating the request does not send another code. `waiting` means that the frame
 * must repeat the request.
 */
export const postEmailDevice: Endpoint<undefined, { readonly status: 'approved' | 'waiting' }> = defineEndpoint({
  method: 'POST',
  path: '/vault/email/device',
  answer: v.object({ status: v.picklist(['approved', 'waiting']) }),
})

/** `POST /vault/email/code`: signs the user in with a code. The code is valid only in the frame session that requested it. */
export const postEmailCode: Endpoint<{ readonly otp: string }, { readonly user: KeysUser }> = defineEndpoint({
  method: 'POST',
  path: '/vault/email/code',
  body: v.object({ otp }),
  answer: v.object({ user }),
})

/** `POST /vault/email/change`: sends a code to the current address or, if there is none, to the new address. */
export const postEmailChange: Endpoint<
  { readonly email: string },
  { readonly action: 'VERIFY_PRIMARY_OTP' | 'VERIFY_SECONDARY_OTP' }
> = defineEndpoint({
  method: 'POST',
  path: '/vault/email/change',
  body: v.object({ email: address }),
  answer: v.object({ action: v.picklist(['VERIFY_PRIMARY_OTP', 'VERIFY_SECONDARY_OTP']) }),
})

/** `POST /vault/email/change/primary`: submits the code from the current address and sends a code to the new address. */
export const postEmailChangePrimary: Endpoint<{ readonly otp: string }, Nothing> = defineEndpoint({
  method: 'POST',
  path: '/vault/email/change/primary',
  body: v.object({ otp }),
  answer: nothing,
})

/** `POST /vault/email/change/secondary`: submits the code from the new address and changes the address. */
export const postEmailChangeSecondary: Endpoint<{ readonly otp: string }, { readonly newEmail: string }> =
  defineEndpoint({
    method: 'POST',
    path: '/vault/email/change/secondary',
    body: v.object({ otp }),
    answer: v.object({ newEmail: address }),
  })

/** The errors of these endpoints, in addition to `commonKeysErrors`. */
export const emailErrors: EndpointErrors<KeysFailureCode> = [
  [postEmail, 'email/throttled', 'mail/failed'],
  [postEmailDevice, 'approval/expired', 'mail/failed'],
  [postEmailCode, 'code/wrong', 'code/expired'],
  [postEmailChange, 'session/none', 'session/stale', 'email/throttled', 'mail/failed'],
  [
    postEmailChangePrimary,
    'session/none',
    'session/other-account',
    'code/wrong',
    'code/expired',
    'email/throttled',
    'mail/failed',
  ],
  [postEmailChangeSecondary, 'session/none', 'session/other-account', 'code/wrong', 'code/expired'],
]
