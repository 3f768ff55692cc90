import * as v from 'valibot'
import { defineEndpoint, type Endpoint } from './endpoint.ts'
import { visitorId } from './keys/fieldSchemas.ts'

// Visitor identification, which an operator can enable. It runs on a separate origin, such as `id.shop.example`, in a sandboxed
// iframe inside the key frame. The iframe sends one of the two messages below and does not receive any.

/** The error codes for visitor identification. */
export const identifyFailures = [
  'identify/missing-key',
  'identify/invalid-key',
  'identify/expired-key',
  'identify/timeout',
  'identify/rate-limited',
  'identify/blocked-by-csp',
  'identify/script-failed',
] as const

/** An error code for visitor identification. */
export type IdentifyFailure = (typeof identifyFailures)[number]

/** The single message that the identification origin sends to the key frame. */
export type Identified =
  | { readonly type: 'latchkey/visitor'; readonly visitorId: string }
  | { readonly type: 'latchkey/visitor'; readonly failure: IdentifyFailure }

const type = v.literal('latchkey/visitor')
const failure = v.picklist(identifyFailures)

/** The schema for the message from the identification origin. */
export const identified: v.GenericSchema<unknown, Identified> = v.union([
  v.object({ type, visitorId }),
  v.object({ type, failure }),
])

/** `POST /vault/identify`: reports a failed identification to the operator. The server only logs and counts the report. */
export const postIdentifyFailure: Endpoint<
  { readonly failure: IdentifyFailure },
  Readonly<Record<never, never>>
> = defineEndpoint({
  method: 'POST',
  path: '/vault/identify',
  body: v.object({ failure }),
  answer: v.object({}),
})
