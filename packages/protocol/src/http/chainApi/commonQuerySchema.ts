import * as v from 'valibot'
import { text } from './fieldSchemas.ts'

/* @__NO_SIDE_EFFECTS__ */
const ignored = (max: number) => v.fallback(v.optional(text(max)), undefined)

/** The schemas for the query parameters of `ChainQuery`. Those that the server ignores do not make a request invalid. */
export const chainQueryEntries = {
  projectId: v.optional(text(128)),
  st: ignored(64),
  sv: ignored(128),
  clientId: ignored(128),
  sender: ignored(128),
} as const satisfies Record<string, v.GenericSchema<unknown, string | undefined>>
