import * as v from 'valibot'
import { storableText } from '../../storableText.ts'
import { defineEndpoint, type Endpoint, type EndpointErrors } from '../endpoint.ts'
import { type KeysUser, user } from './accountSchemas.ts'
import type { KeysFailureCode } from './errors.ts'
import { text } from './fieldSchemas.ts'

/** The social providers that use the popup login. */
export const socialProviders = ['google', 'github', 'apple', 'facebook', 'x', 'discord'] as const

/** A social provider. Farcaster has its own endpoints. */
export type SocialProvider = (typeof socialProviders)[number]

/**
 * The name of the BroadcastChannel between the frame and the popups on its origin. A popup at `popupPath` sends `waiting` until
 * the frame sends the popup's destination, and sends `going` before it navigates there. When the popup returns from the provider,
 * it sends `resultUri` on this channel and also posts `resultUri` to the page that opened it. A page with COOP has lost its
 * handle to the popup by then, and a page without COOP cannot read this channel.
 */
export const popupChannel = 'latchkey-popup'

/** The page on the keys origin that a popup shows until its destination is known. */
export const popupPath = '/loading'

/** A message on the channel. */
export type PopupMessage =
  | { readonly waiting: true }
  | { readonly uri: string }
  | { readonly going: string }
  /** A URL on the keys origin, only valid in the frame session that started the login. Also posted to the opener, if allowed. */
  | { readonly resultUri: string }

/** A schema for the messages on the channel. */
export const popupMessage: v.GenericSchema<unknown, PopupMessage> = v.union([
  v.object({ waiting: v.literal(true) }),
  v.object({ uri: text(8192) }),
  v.object({ going: text(8192) }),
  v.object({ resultUri: text(2048) }),
])

/** `POST /vault/social/:provider`: returns the popup's destination. */
export const postSocial: Endpoint<
  {
    /**
     * The embedding page's origin, as reported by the browser to the frame. Only an opener with this origin receives the result.
     */
    readonly opener?: string | undefined
    /**
     * Set if a window on the keys origin navigates to the provider itself. The window returns to `/continue` with `result_uri`.
     */
    readonly window?: boolean | undefined
  },
  { readonly uri: string }
> = defineEndpoint({
  method: 'POST',
  path: '/vault/social/:provider',
  body: v.object({ opener: v.optional(text(300)), window: v.optional(v.boolean()) }),
  answer: v.object({ uri: text(8192) }),
})

/**
 * `GET /vault/social/callback/:provider`: the redirect URI registered with the providers. Redirects to a page that only the popup
 * uses.
 */
export const socialCallbackPath = '/vault/social/callback/:provider'

/**
 * `GET /vault/social/done`: the page to which a `resultUri` points. Its `error` parameter is one of the error codes in
 * `keysFailures`.
 */
export const socialDonePath = '/vault/social/done'

/**
 * `POST /vault/social/finish`: signs the user in. `resultUri` is valid once, and only in the frame session that started the
 * login.
 */
export const postSocialFinish: Endpoint<
  { readonly resultUri: string },
  { readonly user: KeysUser; readonly userName: string | null; readonly provider: SocialProvider }
> = defineEndpoint({
  method: 'POST',
  path: '/vault/social/finish',
  body: v.object({ resultUri: text(2048) }),
  answer: v.object({
    user,
    userName: v.nullable(storableText(200)),
    provider: v.picklist(socialProviders),
  }),
})

/** The errors of these endpoints, in addition to `commonKeysErrors`. */
export const socialErrors: EndpointErrors<KeysFailureCode> = [
  [postSocial, 'social/unknown-provider'],
  [postSocialFinish, 'social/declined', 'social/failed'],
]
