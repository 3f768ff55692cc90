import { frameTexts } from '@latchkey/protocol/frame/messages'
import { PublicError } from '../publicError.ts'

/** A request that needs the user's approval. */
export interface ApprovalRequest<Subject = unknown, Choice = unknown, Result = unknown> {
  /** The ID of the page's request, which the page can use to cancel the request. */
  readonly id?: string | undefined
  /** The content of the approval screen. */
  readonly subject: Subject
  /** Runs after approval. An approved request cannot be cancelled. */
  readonly perform: (choice: Choice) => Promise<Result>
}

/** The request on screen, which is either waiting for a decision (`asking`) or approved and running (`doing`). */
export interface PendingApproval<Subject = unknown> {
  /** An increasing number that is used as the React key of the screen. */
  readonly key: number
  readonly subject: Subject
  readonly state: 'asking' | 'doing'
  /** The number of requests that are queued behind this request. */
  readonly behind: number
}

/** A queue of approval requests, which are shown one at a time in order of arrival. */
export interface ApprovalQueue<Subject = unknown> {
  /** Queues a request. Resolves to the result of `perform`. Rejects if the user cancels the request or the page aborts it. */
  ask<Choice, Result>(request: ApprovalRequest<Subject, Choice, Result>): Promise<Result>
  /**
   * Runs the work for a page's request. If the page aborts the request before approval is requested, `ask` rejects and
   * the request is never shown.
   */
  track<Result>(id: string | undefined, work: (approvals: ApprovalQueue<Subject>) => Promise<Result>): Promise<Result>
  /** Returns the request on screen. */
  current(): PendingApproval<Subject> | undefined
  /** Calls `listener` after each change. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void
  /** Approves the request on screen. Only the first call has an effect. */
  approve(key: number, choice?: unknown): void
  /** Rejects the request on screen. */
  cancel(key: number): void
  /** Aborts the request with `id`, or all of the page's requests. An approved request continues and returns its actual result. */
  abort(id?: string): void
}

/** The maximum number of queued requests. */
const maxQueued = 16

interface Entry<Subject> {
  readonly key: number
  readonly request: ApprovalRequest<Subject, never, unknown>
  state: 'asking' | 'doing'
  readonly resolve: (result: never) => void
  readonly reject: (error: unknown) => void
}

/** A page request in progress. */
interface Work {
  readonly id: string | undefined
  state: 'begun' | 'taken back' | 'approved'
}

/** Creates an empty queue. */
export function createApprovalQueue<Subject>(): ApprovalQueue<Subject> {
  const listeners = new Set<() => void>()
  let queue: readonly Entry<Subject>[] = []
  const works = new Set<Work>()
  let nextKey = 1
  let shown: PendingApproval<Subject> | undefined

  const changed = (entries: readonly Entry<Subject>[]): void => {
    queue = entries
    const [first] = queue
    shown = first && {
      key: first.key,
      subject: first.request.subject,
      state: first.state,
      behind: queue.length - 1,
    }
    for (const listener of [...listeners]) listener()
  }

  const without = (entry: Entry<Subject>): void => changed(queue.filter((item) => item !== entry))

  const approvals: ApprovalQueue<Subject> = {
    ask: (request) =>
      new Promise((resolve, reject) => {
        if (queue.length >= maxQueued) {
          reject(new PublicError('Too many requests'))
          return
        }
        const entry = { key: nextKey, request, state: 'asking', resolve, reject } as unknown as Entry<Subject>
        nextKey += 1
        changed([...queue, entry])
      }),
    async track(id, run) {
      const work: Work = { id, state: 'begun' }
      works.add(work)
      try {
        return await run({
          ...approvals,
          async ask<Choice, Result>(request: ApprovalRequest<Subject, Choice, Result>) {
            if (work.state === 'taken back') throw new PublicError(frameTexts.aborted)
            return approvals.ask({
              ...request,
              perform(choice: Choice) {
                work.state = 'approved'
                return request.perform(choice)
              },
            })
          },
        })
      } finally {
        works.delete(work)
      }
    },
    current: () => shown,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    approve(key, choice) {
      const [first] = queue
      if (first?.key !== key || first.state !== 'asking') return
      first.state = 'doing'
      changed(queue)
      // `perform` runs in a promise chain, so that a synchronous throw is handled like a rejection.
      Promise.resolve()
        .then(() => first.request.perform(choice as never))
        .then(
          (result) => first.resolve(result as never),
          (error) => first.reject(error),
        )
        .finally(() => without(first))
    },
    cancel(key) {
      const [first] = queue
      if (first?.key !== key || first.state !== 'asking') return
      without(first)
      first.reject(new PublicError(frameTexts.rejected))
    },
    abort(id) {
      for (const work of works)
        if (work.state === 'begun' && (id === undefined || work.id === id)) work.state = 'taken back'
      const taken = queue.filter((item) => item.state === 'asking' && (id === undefined || item.request.id === id))
      if (taken.length === 0) return
      changed(queue.filter((item) => !taken.includes(item)))
      for (const item of taken) item.reject(new PublicError(frameTexts.aborted))
    },
  }
  return approvals
}
