import * as v from 'valibot'
import { storableText } from '../../storableText.ts'
import { defineEndpoint, type Endpoint, type EndpointErrors } from '../endpoint.ts'
import type { KeysFailureCode } from './errors.ts'
import { listOf, time } from './fieldSchemas.ts'

/** An audit log entry, visible to the user. */
export interface AuditEntry {
  /** Epoch milliseconds. */
  readonly at: number
  /** What happened, such as `device-added`. */
  readonly event: AuditEvent
  /** The device, passkey or provider that the event concerns, if any. */
  readonly about: string | null
  /** The browser and operating system, taken from the user agent. IP addresses are not stored. */
  readonly place: string | null
}

/** The audited events. */
export const auditEvents = [
  'account-made',
  'signed-in-by-email',
  'signed-in-by-social',
  'signed-in-by-passkey',
  'signed-in-by-farcaster',
  'signed-out',
  'signed-out-everywhere',
  'code-refused',
  'device-approved',
  'device-added',
  'device-removed',
  'half-given',
  'half-refused',
  'vault-made',
  'vault-changed',
  'passkey-added',
  'passkey-removed',
  'email-change-asked',
  'email-changed',
  'transfer-asked',
  'transfer-sealed',
  'transfer-refused',
] as const

/** An audited event. */
export type AuditEvent = (typeof auditEvents)[number]

/** `GET /vault/audit`: returns the latest entries, newest first: at most 25 for each event, and at most 200 in total. */
export const getAudit: Endpoint<undefined, { readonly entries: readonly AuditEntry[] }> = defineEndpoint({
  method: 'GET',
  path: '/vault/audit',
  answer: v.object({
    entries: listOf(
      v.object({
        at: time,
        event: v.picklist(auditEvents),
        about: v.nullable(storableText(200)),
        place: v.nullable(storableText(64)),
      }),
    ),
  }),
})

/** The errors of this endpoint, in addition to `commonKeysErrors`. */
export const auditErrors: EndpointErrors<KeysFailureCode> = [[getAudit, 'session/none']]
