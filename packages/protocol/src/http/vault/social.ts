import * as v from 'valibot'
import { storableText } from '../../storableText.ts'
import { defineEndpoint, type Endpoint } from '../endpoint.ts'
import { text } from './fields.ts'
import { user, type VaultUser } from './records.ts'

/** The social providers that use the popup login. */
export const socialProviders = ['google', 'github', 'apple', 'facebook', 'x', 'discord'] as const

/** A social provider. Farcaster has its own endpoints. */
export type SocialProvider = (typeof socialProviders)[number]

/**
 * The name of the BroadcastChannel between the frame and the popups of its origin. A popup at `popupPath` sends `{ waiting: true }` until the
 * frame sends its destination, and `going` before it navigates there. The popup that returns from the provider sends `resultUri`.
 * A page with COOP has lost its handle of the popup by then, and a page without it cannot read this channel.
 */
export const popupChannel = 'latchkey-popup'

/** The page of the keys origin that a popup shows until its destination is known. */
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
    /** The embedding page's origin, as reported by the browser to the frame. Only an opener with this origin receives the result. */
    readonly opener?: string | undefined
    /** Set if a window of the keys origin navigates to the provider itself. It returns to `/continue` with `result_uri`. */
    readonly window?: boolean | undefined
  },
  { readonly uri: string }
> = defineEndpoint({
  method: 'POST',
  path: '/vault/social/:provider',
  body: v.object({ opener: v.optional(text(300)), window: v.optional(v.boolean()) }),
  answer: v.object({ uri: text(8192) }),
})

/** `GET /vault/social/callback/:provider`: the redirect URI registered with the providers. Redirects to a page for the popup only. */
export const socialCallbackPath = '/vault/social/callback/:provider'

/** `GET /vault/social/done`: the page of a `resultUri`. Its `error` parameter is one of the error codes above. */
export const socialDonePath = '/vault/social/done'

/** `POST /vault/social/finish`: signs in. Valid once, and only in the frame session that started the login. */
export const postSocialFinish: Endpoint<
  { readonly resultUri: string },
  { readonly user: VaultUser; readonly userName: string | null; readonly provider: SocialProvider }
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
