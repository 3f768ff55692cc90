import type { SocialName } from '@latchkey/protocol/frame/messages'
import {
  postEmail,
  postEmailCode,
  postEmailDevice,
  postFarcaster,
  postFarcasterFinish,
  postSocial,
  postSocialFinish,
  type SocialProvider,
} from '@latchkey/protocol/http/keys'
import { isWebLink } from '@latchkey/protocol/safeLinks'
import type { AccountSession } from '../accountSession.ts'
import type { KeysApiClient } from '../keysApiClient.ts'
import { PublicError } from '../publicError.ts'

/** The result of a social login: the provider, and the user's name as reported by the provider. */
export interface SocialSignIn {
  readonly provider: SocialName
  readonly userName: string | null
}

/** The methods for logging in by email and with a social provider. */
export interface LoginMethods {
  /**
   * Sends a code by email. Resolves to `link` if the user must first approve this browser through an emailed link, in which
   * case the caller waits for `linkFollowed`. `again` is `true` for reauthentication.
   */
  mailCode(email: string, again: boolean): Promise<'code' | 'link'>
  linkFollowed(signal: AbortSignal): Promise<void>
  signInWith(otp: string): Promise<void>
  /** Resolves to a provider's login URL, which redirects back to `/continue`. */
  socialUri(provider: SocialProvider): Promise<string>
  /** Logs the user in with the result of a provider's redirect. */
  signInBySocial(resultUri: string): Promise<SocialSignIn>
  /** Resolves to the link that the user opens in the Farcaster app. */
  farcasterUrl(): Promise<string>
  /** Waits until the user approves the login in the Farcaster app, and then logs the user in. */
  signInByFarcaster(signal: AbortSignal): Promise<SocialSignIn>
}

/** Creates the login methods, which use this origin's server. */
export function createLoginMethods({
  keysClient,
  session,
}: {
  readonly keysClient: KeysApiClient
  readonly session: Pick<AccountSession, 'signedIn'>
}): LoginMethods {
  return {
    async mailCode(email, again) {
      const { action } = await keysClient(postEmail, { body: { email, again } })
      return action === 'VERIFY_DEVICE' ? 'link' : 'code'
    },
    async linkFollowed(signal) {
      for (;;) {
        // The server delays each response, so this loop does not send requests in quick succession.
        const { status } = await keysClient(postEmailDevice, { signal })
        if (status === 'approved') return
        signal.throwIfAborted()
      }
    },
    async signInWith(otp) {
      const { user } = await keysClient(postEmailCode, { body: { otp } })
      session.signedIn(user)
    },
    async socialUri(provider) {
      const { uri } = await keysClient(postSocial, { params: { provider }, body: { window: true } })
      if (!isWebLink(uri)) throw new PublicError('The sign-in failed')
      return uri
    },
    async signInBySocial(resultUri) {
      const { user, userName, provider } = await keysClient(postSocialFinish, { body: { resultUri } })
      session.signedIn(user, userName, resultUri)
      return { provider, userName }
    },
    farcasterUrl: async () => (await keysClient(postFarcaster)).url,
    async signInByFarcaster(signal) {
      for (;;) {
        // The server delays each response, so this loop does not send requests in quick succession.
        const found = await keysClient(postFarcasterFinish, { signal })
        if (found.status === 'done') {
          session.signedIn(found.user, found.userName)
          return { provider: 'farcaster', userName: found.userName }
        }
        signal.throwIfAborted()
      }
    },
  }
}
