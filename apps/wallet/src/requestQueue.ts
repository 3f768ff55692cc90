import type { Clock } from '@latchkey/protocol/clock'
import type { AuthPayload, Metadata, Proposal, Reason } from '@latchkey/walletconnect'
import type { Verdict } from '@latchkey/walletconnect/verify'
import type { ApprovalRequest } from './approvalRequest.ts'
import type { Grant } from './grantNamespaces.ts'
import type { SignInTexts } from './signInMessages.ts'

interface Common {
  readonly key: string
  readonly id: number
  /** The topic of the pairing or the session. */
  readonly topic: string
  /** The page's self-reported metadata, which is not verified. */
  readonly from: Metadata
  /** The verify service's verdict, or `undefined` while the check is pending. */
  readonly verdict?: Verdict | undefined
  /** When the request expires, in epoch milliseconds. */
  readonly expiresAt: number
  /** The state of the request: open, being executed, or failed. */
  readonly state:
    | { readonly at: 'open' }
    | { readonly at: 'doing' }
    | { readonly at: 'failed'; readonly because: string }
}

/** A page's request to connect. */
export interface PendingConnect extends Common {
  readonly kind: 'connect'
  readonly proposal: Proposal
  readonly grant: Grant
}

/** A page's request to sign in. */
export interface PendingSignIn extends Common {
  readonly kind: 'signIn'
  readonly payload: AuthPayload
  readonly texts: SignInTexts
}

/** A method call from a connected page. */
export interface PendingMethodCall extends Common {
  readonly kind: 'request'
  readonly call: ApprovalRequest
  readonly method: string
  readonly params: unknown
  /** The error to send to the page if the user rejects the request after a failed execution. */
  readonly reason?: Reason | undefined
  /** The response that the page has not received yet. A request with a response is never executed again. */
  readonly done?: { readonly result: unknown } | { readonly error: Reason } | undefined
}

/** A request that is waiting for the user's decision. */
export type PendingRequest = PendingConnect | PendingSignIn | PendingMethodCall

/** Parameters of `createRequestQueue()`. */
export interface RequestQueueParameters {
  readonly clock: Clock
  /** Called with the requests after every change. */
  readonly changed: (requests: readonly PendingRequest[]) => void
  /** Called when a request expires, unless the request is being executed. The request stays in the queue. */
  readonly expired: (request: PendingRequest) => void
}

/** The requests that are waiting for the user's decision, in display order. */
export interface RequestQueue {
  all(): readonly PendingRequest[]
  find(key: string): PendingRequest | undefined
  /** Adds a request to the end or the front of the queue, or moves it there. Restarts the request's expiry timer. */
  put(request: PendingRequest, options?: { readonly front?: boolean }): void
  update(key: string, part: Partial<Omit<PendingMethodCall, 'kind'>>): void
  /** Replaces each request with the result of `change`. */
  updateAll(change: (request: PendingRequest) => PendingRequest): void
  remove(key: string): void
  /** Stops the queue. Further changes are ignored, and requests no longer expire. */
  stop(): void
}

/** Creates an empty queue. */
export function createRequestQueue({ clock, changed, expired }: RequestQueueParameters): RequestQueue {
  const expiryTimers = new Map<string, () => void>()
  let requests: readonly PendingRequest[] = []
  let isStopped = false

  const set = (next: readonly PendingRequest[]): void => {
    if (isStopped) return
    requests = next
    changed(requests)
  }
  const find = (key: string): PendingRequest | undefined => requests.find((request) => request.key === key)

  return {
    all: () => requests,
    find,
    put(request, { front = false } = {}) {
      const others = requests.filter(({ key }) => key !== request.key)
      set(front ? [request, ...others] : [...others, request])
      expiryTimers.get(request.key)?.()
      const left = Math.max(0, request.expiresAt - clock.now())
      const cancel = clock.after(left, () => {
        // A request that is being executed reports its own success or failure.
        if (find(request.key)?.state.at !== 'doing') expired(request)
      })
      expiryTimers.set(request.key, cancel)
    },
    update: (key, part) =>
      set(requests.map((request) => (request.key === key ? ({ ...request, ...part } as PendingRequest) : request))),
    updateAll: (change) => set(requests.map(change)),
    remove(key) {
      expiryTimers.get(key)?.()
      expiryTimers.delete(key)
      set(requests.filter((request) => request.key !== key))
    },
    stop() {
      isStopped = true
      for (const cancel of expiryTimers.values()) cancel()
    },
  }
}
