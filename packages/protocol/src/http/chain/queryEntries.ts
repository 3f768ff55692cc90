import * as v from 'valibot'
import { text } from './fields.ts'

/** The schemas for the query parameters of `ChainQuery`. */
export const chainQueryEntries = {
  projectId: v.optional(text(128)),
  st: v.optional(text(64)),
  sv: v.optional(text(128)),
  clientId: v.optional(text(128)),
  sender: v.optional(text(128)),
} as const satisfies Record<string, v.GenericSchema<unknown, string | undefined>>
