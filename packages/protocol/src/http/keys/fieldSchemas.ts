import * as v from 'valibot'
import { isEmailAddress } from '../../emailAddress.ts'
import { storableText } from '../../storableText.ts'

/** Returns a schema for non-empty plain text of at most `max` characters. */
/* @__NO_SIDE_EFFECTS__ */
export const text = (max: number): v.GenericSchema<unknown, string> => v.pipe(storableText(max), v.nonEmpty())

/** Returns a schema for an array of at most 1,000 items. */
/* @__NO_SIDE_EFFECTS__ */
export const listOf = <Item>(item: v.GenericSchema<unknown, Item>): v.GenericSchema<unknown, Item[]> =>
  v.pipe(v.array(item), v.maxLength(1000))

/** A schema for an opaque ID. */
export const id: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/))

/** A schema for a time in epoch milliseconds. */
export const time: v.GenericSchema<unknown, number> = v.pipe(v.number(), v.integer(), v.minValue(0))

/** A schema for a six-digit code. */
export const otp: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.regex(/^\d{6}$/))

/** A schema for base64url text of up to 16,384 characters. */
export const bytes: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.regex(/^[\w-]{1,16384}$/))

/** A schema for the server's half of a key: 32 bytes in base64url. */
export const half: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.regex(/^[\w-]{43}$/))

/** A schema for an email address. */
export const address: v.GenericSchema<unknown, string> = v.pipe(storableText(254), v.trim(), v.check(isEmailAddress))

/** A schema for a name that the user has entered, of at most 64 characters. */
export const name: v.GenericSchema<unknown, string> = v.pipe(text(64), v.trim(), v.nonEmpty())

/** A schema for a response without data. */
export const nothing: v.GenericSchema<unknown, Nothing> = v.object({})

/** A schema for the visitor ID, used if visitor identification is enabled. */
export const visitorId: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.regex(/^[\w.:-]{1,128}$/))

/** The response from an endpoint that returns no data. */
export type Nothing = Readonly<Record<never, never>>
