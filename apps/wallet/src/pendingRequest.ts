import type { AuthPayload, Metadata, Proposal, Reason } from '@latchkey/walletconnect'
import type { Verdict } from '@latchkey/walletconnect/verify'
import type { Grant } from './grantNamespaces.ts'
import type { ApprovableRequest } from './parsedRequest.ts'
import type { SignInTexts } from './signIn.ts'

interface Common {
  readonly key: string
  readonly id: number
  /** The pairing or session that it came over. */
  readonly topic: string
  /** Who asks, in the page's own words: nobody vouches for them. */
  readonly from: Metadata
  /** What the verify service knows of it; nothing until that has come. */
  readonly verdict?: Verdict | undefined
  /** Epoch milliseconds. */
  readonly expiresAt: number
  /** Whether the answer is on its way, or why it did not get there. */
  readonly state:
    | { readonly at: 'open' }
    | { readonly at: 'doing' }
    | { readonly at: 'failed'; readonly because: string }
}

/** A page that wants to connect. */
export interface PendingConnect extends Common {
  readonly kind: 'connect'
  readonly proposal: Proposal
  readonly grant: Grant
}

/** A page that wants the visitor to sign in. */
export interface PendingSignIn extends Common {
  readonly kind: 'signIn'
  readonly payload: AuthPayload
  readonly texts: SignInTexts
}

/** A request of a connected page. */
export interface PendingMethodCall extends Common {
  readonly kind: 'request'
  readonly task: ApprovableRequest
  readonly method: string
  readonly params: unknown
  /** What the page hears if the visitor gives up after it has failed. */
  readonly reason?: Reason | undefined
  /** Done, and not yet told: whatever happens, it is not done again. */
  readonly done?: { readonly result: unknown } | { readonly error: Reason } | undefined
}

/** Something that waits for the visitor. */
export type PendingRequest = PendingConnect | PendingSignIn | PendingMethodCall
