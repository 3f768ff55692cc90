import type { SocialProvider } from '@latchkey/protocol/http/keys'
import { storableText } from '@latchkey/protocol/storableText'
import * as v from 'valibot'
import { normalizeEmail } from '../../mail/normalizeEmail.ts'
import type { Identity } from '../accounts/accounts.ts'
import type { SocialEndpoints } from '../keysDependencies.ts'

/** The properties that differ between social providers. */
export interface Provider {
  readonly label: string
  /** The provider's published endpoints. */
  readonly endpoints: SocialEndpoints
  readonly scopes: readonly string[]
  /** Additional parameters for the authorization request. */
  readonly extra?: Readonly<Record<string, string>>
  /** The part of the request that contains the client secret. Default: the body. */
  readonly secretIn?: 'header'
  /** The path for a second request, which fetches the verified email addresses if the first response does not include them. */
  readonly emails?: string
  /** Parses the identity from the user response or from the claims of the ID token. */
  readonly read: v.GenericSchema<unknown, Omit<Identity, 'provider'>>
}

const subject = v.pipe(v.union([storableText(255), v.number()]), v.transform(String), v.minLength(1), v.maxLength(255))
const word = v.nullish(v.pipe(storableText(200), v.trim()))
const truth = v.nullish(v.union([v.boolean(), v.picklist(['true', 'false'])]))

// Only an email address that the provider has verified is used.
const vouched = (email: string | null | undefined, isVerified: unknown): string | null =>
  email && (isVerified === true || isVerified === 'true') ? (normalizeEmail(email) ?? null) : null

const openId = v.pipe(
  v.object({ sub: subject, name: word, email: word, email_verified: truth }),
  v.transform(({ sub, name, email, email_verified }) => ({
    subject: sub,
    name: name ?? null,
    email: vouched(email, email_verified),
  })),
)

/** All social providers except Farcaster. */
export const providers: Readonly<Record<SocialProvider, Provider>> = {
  google: {
    label: 'Google',
    endpoints: {
      authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
      token: 'https://oauth2.googleapis.com/token',
      issuer: 'https://accounts.google.com',
      keys: 'https://www.googleapis.com/oauth2/v3/certs',
    },
    scopes: ['openid', 'email', 'profile'],
    extra: { prompt: 'select_account' },
    read: openId,
  },
  apple: {
    label: 'Apple',
    endpoints: {
      authorize: 'https://appleid.apple.com/auth/authorize',
      token: 'https://appleid.apple.com/auth/token',
      issuer: 'https://appleid.apple.com',
      keys: 'https://appleid.apple.com/auth/keys',
    },
    // Apple responds with a form post if these scopes are requested.
    scopes: ['openid', 'email', 'name'],
    extra: { response_mode: 'form_post' },
    read: openId,
  },
  github: {
    label: 'GitHub',
    endpoints: {
      authorize: 'https://github.com/login/oauth/authorize',
      token: 'https://github.com/login/oauth/access_token',
      user: 'https://api.github.com/user',
    },
    scopes: ['read:user', 'user:email'],
    emails: '/emails',
    read: v.pipe(
      v.object({
        id: subject,
        login: word,
        name: word,
        emails: v.optional(
          v.array(v.object({ email: storableText(254), primary: v.boolean(), verified: v.boolean() })),
          [],
        ),
      }),
      v.transform(({ id, login, name, emails }) => {
        const main = emails.find(({ primary }) => primary)
        return { subject: id, name: name || login || null, email: vouched(main?.email, main?.verified) }
      }),
    ),
  },
  facebook: {
    label: 'Facebook',
    endpoints: {
      authorize: 'https://www.facebook.com/v23.0/dialog/oauth',
      token: 'https://graph.facebook.com/v23.0/oauth/access_token',
      user: 'https://graph.facebook.com/v23.0/me?fields=id,name,email',
    },
    scopes: ['public_profile', 'email'],
    // Facebook does not report whether the email address is verified, so the address is not used.
    read: v.pipe(
      v.object({ id: subject, name: word }),
      v.transform(({ id, name }) => ({ subject: id, name: name ?? null, email: null })),
    ),
  },
  x: {
    label: 'X',
    endpoints: {
      authorize: 'https://x.com/i/oauth2/authorize',
      token: 'https://api.x.com/2/oauth2/token',
      user: 'https://api.x.com/2/users/me',
    },
    scopes: ['users.read', 'tweet.read'],
    secretIn: 'header',
    read: v.pipe(
      v.object({ data: v.object({ id: subject, username: word, name: word }) }),
      v.transform(({ data: { id, username, name } }) => ({
        subject: id,
        name: username || name || null,
        email: null,
      })),
    ),
  },
  discord: {
    label: 'Discord',
    endpoints: {
      authorize: 'https://discord.com/oauth2/authorize',
      token: 'https://discord.com/api/oauth2/token',
      user: 'https://discord.com/api/users/@me',
    },
    scopes: ['identify', 'email'],
    read: v.pipe(
      v.object({ id: subject, username: word, global_name: word, email: word, verified: truth }),
      v.transform(({ id, username, global_name, email, verified }) => ({
        subject: id,
        name: global_name || username || null,
        email: vouched(email, verified),
      })),
    ),
  },
}
