import { handoverLifeMs } from '@latchkey/protocol/http/vaultWindow'
import { read } from '@latchkey/protocol/schemas'
import * as v from 'valibot'
import { handoverQuestion } from '../handover/messages.ts'
import type { SuspendedQuestion } from './takeQuestion.ts'

const name = 'latchkey.suspended'

const suspended: v.GenericSchema<unknown, SuspendedQuestion & { readonly until: number }> = v.object({
  key: v.pipe(v.string(), v.regex(/^[\w-]{43}$/)),
  secret: v.pipe(v.string(), v.regex(/^[\w-]{43}$/)),
  question: handoverQuestion,
  until: v.number(),
})

/** Where a window keeps its question while it is at a provider: in the storage of this one window, for as long as the question lives. */
export interface Suspension {
  keep(question: SuspendedQuestion): void
  /** What was kept, once. */
  take(): SuspendedQuestion | undefined
}

/** The suspension of the window whose session storage this is. */
export function createSuspension(storage: () => Storage, now: () => number): Suspension {
  return {
    keep: (question) => storage().setItem(name, JSON.stringify({ ...question, until: now() + handoverLifeMs })),
    take() {
      try {
        const text = storage().getItem(name)
        storage().removeItem(name)
        const found = text === null ? undefined : read(suspended, JSON.parse(text))
        return found && found.until > now() ? found : undefined
      } catch {
        // Denied, or no JSON: there is nothing to go on with.
        return undefined
      }
    },
  }
}
