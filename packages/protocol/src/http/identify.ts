import * as v from 'valibot'
import { type VaultCall, visitorId } from './vault.ts'

// Visitor identification, which an operator may switch on. It has an origin of its own, `id.shop.example`, which the key frame
// embeds in a sandbox for a moment; what leaves that origin is one of the two messages below, and nothing is ever sent into it.

/** Every way in which identification can fail, each a code of the error catalogue. */
export const identifyFailures = [
  'identify/missing-key',
  'identify/invalid-key',
  'identify/expired-key',
  'identify/timeout',
  'identify/rate-limited',
  'identify/blocked-by-csp',
  'identify/script-failed',
] as const

/** One of the ways in which identification can fail. */
export type IdentifyFailure = (typeof identifyFailures)[number]

/** What the identification origin says to the key frame, once. */
export type Identified =
  | { readonly type: 'latchkey/visitor'; readonly visitorId: string }
  | { readonly type: 'latchkey/visitor'; readonly failure: IdentifyFailure }

const type = v.literal('latchkey/visitor')
const failure = v.picklist(identifyFailures)

/** Reads what the identification origin says. */
export const identified: v.GenericSchema<unknown, Identified> = v.union([
  v.object({ type, visitorId }),
  v.object({ type, failure }),
])

/** `POST /vault/identify`: tells the operator that identification failed. Logged and counted, nothing more. */
export const postIdentifyFailure: VaultCall<{ readonly failure: IdentifyFailure }, Readonly<Record<never, never>>> = {
  method: 'POST',
  path: '/vault/identify',
  body: v.object({ failure }),
  answer: v.object({}),
}
