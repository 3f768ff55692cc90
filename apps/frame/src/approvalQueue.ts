import { frameTexts } from '@latchkey/protocol/frame/messages'
import { PublicError } from './publicError.ts'

/** Something that only the person in front of the screen may decide. */
export interface ApprovalRequest<Subject = unknown, Choice = unknown, Result = unknown> {
  /** The id of the question that asked, so that the page can take it back. */
  readonly id?: string | undefined
  /** What to draw. */
  readonly subject: Subject
  /** What happens after a yes. From here on nothing takes it back. */
  readonly perform: (choice: Choice) => Promise<Result>
}

/** A wish on its way: waiting for a word, or already being done. */
export interface PendingApproval<Subject = unknown> {
  /** Counts up: the key of its screen. */
  readonly key: number
  readonly subject: Subject
  readonly state: 'asking' | 'doing'
  /** How many wait behind it. */
  readonly behind: number
}

/** The queue in front of the visitor: one wish at a time, in the order in which they came. */
export interface ApprovalQueue<Subject = unknown> {
  /** Resolves with what was done; rejects when the visitor says no or the page takes it back. */
  ask<Choice, Result>(request: ApprovalRequest<Subject, Choice, Result>): Promise<Result>
  /**
   * Does what a question asks for. It may take a while before it asks the visitor: what the page takes back until then is never asked.
   */
  track<Result>(id: string | undefined, work: (approvals: ApprovalQueue<Subject>) => Promise<Result>): Promise<Result>
  /** The one on screen. */
  current(): PendingApproval<Subject> | undefined
  /** Called after each change. */
  subscribe(listener: () => void): () => void
  /** The visitor's yes to the one on screen. Counts once. */
  approve(key: number, choice?: unknown): void
  /** The visitor's no. */
  cancel(key: number): void
  /** The page takes back one question, or all. What is already being done goes on and answers truthfully. */
  abort(id?: string): void
}

/** More than so many never wait for one person. */
const maxQueued = 16

interface Entry<Subject> {
  readonly key: number
  readonly request: ApprovalRequest<Subject, never, unknown>
  state: 'asking' | 'doing'
  readonly resolve: (result: never) => void
  readonly reject: (error: unknown) => void
}

/** A question that is being worked on. */
interface Work {
  readonly id: string | undefined
  state: 'begun' | 'taken back' | 'approved'
}

/** An empty queue. */
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
      // A throw before the promise is a failure like any other.
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
