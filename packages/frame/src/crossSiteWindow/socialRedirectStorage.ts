import { handoverLifeMs } from '@latchkey/protocol/http/keys/crossSite'
import { read } from '@latchkey/protocol/parseWithSchema'
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

/** Keeps a window's request in session storage during a redirect to a provider, until the request expires. */
export interface SocialRedirectStorage {
  save(question: SuspendedHandover): void
  /** Returns and deletes the stored request. */
  take(): SuspendedHandover | undefined
}

/** Creates a `SocialRedirectStorage` that uses a window's session storage. */
export function createSocialRedirectStorage(storage: () => Storage, now: () => number): SocialRedirectStorage {
  return {
    save: (question) => storage().setItem(storageKey, JSON.stringify({ ...question, until: now() + handoverLifeMs })),
    take() {
      try {
        const text = storage().getItem(storageKey)
        storage().removeItem(storageKey)
        const stored = text === null ? undefined : read(suspendedSchema, JSON.parse(text))
        return stored && stored.until > now() ? stored : undefined
      } catch {
        // Access to storage is denied, or the content is not JSON.
        return undefined
      }
    },
  }
}
