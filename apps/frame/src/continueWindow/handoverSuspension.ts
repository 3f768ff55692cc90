import { handoverLifeMs } from '@latchkey/protocol/http/vaultWindow'
import { read } from '@latchkey/protocol/schemas'
import * as v from 'valibot'
import { handoverRequestSchema } from '../handover/handoverMessages.ts'
import type { SuspendedHandover } from './claimHandover.ts'

const storageKey = 'latchkey.suspended'

const suspendedSchema: v.GenericSchema<unknown, SuspendedHandover & { readonly until: number }> = v.object({
  key: v.pipe(v.string(), v.regex(/^[\w-]{43}$/)),
  secret: v.pipe(v.string(), v.regex(/^[\w-]{43}$/)),
  question: handoverRequestSchema,
  until: v.number(),
})

/** Where a window keeps its question while it is at a provider: in the storage of this one window, for as long as the question lives. */
export interface HandoverSuspension {
  keep(question: SuspendedHandover): void
  /** What was kept, once. */
  take(): SuspendedHandover | undefined
}

/** The suspension of the window whose session storage this is. */
export function createHandoverSuspension(storage: () => Storage, now: () => number): HandoverSuspension {
  return {
    keep: (question) => storage().setItem(storageKey, JSON.stringify({ ...question, until: now() + handoverLifeMs })),
    take() {
      try {
        const text = storage().getItem(storageKey)
        storage().removeItem(storageKey)
        const found = text === null ? undefined : read(suspendedSchema, JSON.parse(text))
        return found && found.until > now() ? found : undefined
      } catch {
        // Denied, or no JSON: there is nothing to go on with.
        return undefined
      }
    },
  }
}
