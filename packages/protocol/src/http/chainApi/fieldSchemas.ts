import * as v from 'valibot'
import { isWebLink } from '../../safeLinks.ts'
import { sanitizeName } from '../../untrustedNames.ts'

// Schemas that several endpoints of the chain API share. Responses can come from any server, so every size is bounded.

/** Returns the schema for text with at most `max` characters. */
/* @__NO_SIDE_EFFECTS__ */
export const text = (max: number): v.GenericSchema<unknown, string> => v.pipe(v.string(), v.maxLength(max))

/** A CAIP-2 chain ID, such as `eip155:1`. */
export const chainIdText: v.GenericSchema<unknown, string> = v.pipe(
  v.string(),
  v.regex(/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/),
)

/** A CAIP-10 account or token, such as `eip155:1:0xeeee…`. The format of the address depends on the chain family. */
export const caip10: v.GenericSchema<unknown, string> = v.pipe(
  v.string(),
  v.regex(/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}:[-.%a-zA-Z0-9]{1,128}$/),
)

/** An address without a chain ID. */
export const plainAddress: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.regex(/^[-.%a-zA-Z0-9]{1,128}$/))

/** A whole number in base units, such as `1000000`. At most 78 digits, which is enough for 256 bits. */
export const baseUnits: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.regex(/^\d{1,78}$/))

/** A decimal number in human units, such as `12.5`. At most 78 digits before and 78 after the point. */
export const decimalText: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.regex(/^\d{1,78}(\.\d{0,78})?$/))

/** A finite number that is not negative, such as a price. */
export const amountNumber: v.GenericSchema<unknown, number> = v.pipe(v.number(), v.finite(), v.minValue(0))

/** A name or symbol from a token contract or a server. Invisible characters and bidirectional controls are removed. */
/* @__NO_SIDE_EFFECTS__ */
export const shownText = (max: number): v.GenericSchema<unknown, string> =>
  v.pipe(
    text(10_000),
    v.transform((name) => sanitizeName(name, max) ?? ''),
  )

/** The URL of an image. A URL that is not https becomes `undefined`, except on localhost. */
export const imageUrl: v.GenericSchema<unknown, string | undefined> = v.pipe(
  v.nullish(text(4096)),
  v.transform((url) => (url && isWebLink(url) ? url : undefined)),
)

/** The image URL of a response in which the field is always present. An invalid URL becomes an empty string. */
export const requiredImageUrl: v.GenericSchema<unknown, string> = v.pipe(
  v.nullish(text(4096)),
  v.transform((url) => (url && isWebLink(url) ? url : '')),
)

/** Returns the schema for a list of at most `max` items. The length is checked before the items are parsed. */
/* @__NO_SIDE_EFFECTS__ */
export const listOf = <Item>(
  item: v.GenericSchema<unknown, Item>,
  max: number,
): v.GenericSchema<unknown, readonly Item[]> =>
  v.pipe(
    v.custom<unknown[]>((value) => Array.isArray(value) && value.length <= max),
    v.array(item),
  )

/** Returns the schema for a list of at most `max` items that leaves out invalid items instead of rejecting the list. */
/* @__NO_SIDE_EFFECTS__ */
export const validItemsOf = <Item>(
  item: v.GenericSchema<unknown, Item>,
  max: number,
): v.GenericSchema<unknown, readonly Item[]> =>
  v.pipe(
    v.custom<unknown[]>((value) => Array.isArray(value) && value.length <= max),
    v.transform((items) =>
      items.flatMap((value) => {
        const parsed = v.safeParse(item, value)
        return parsed.success ? [parsed.output] : []
      }),
    ),
  )
