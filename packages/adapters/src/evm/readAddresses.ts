import * as v from 'valibot'

const addresses = v.pipe(v.array(v.pipe(v.string(), v.regex(/^0x[0-9a-f]{40}$/i))), v.maxLength(1000))

/** Parses addresses from a wallet response or event and removes duplicates. Returns `undefined` if they are invalid. */
export function readAddresses(value: unknown): readonly string[] | undefined {
  try {
    const parsed = v.safeParse(addresses, value)
    if (!parsed.success) return undefined
    return [...new Map(parsed.output.map((address) => [address.toLowerCase(), address])).values()]
  } catch {
    return undefined
  }
}
