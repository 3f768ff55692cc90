import * as v from 'valibot'

/** Parses a whole number between `min` and `max`, inclusive. */
export const number = (min: number, max: number): v.GenericSchema<string, number> =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,13}$/, 'a whole number'),
    v.transform(Number),
    v.minValue(min, `a whole number from ${min} to ${max}`),
    v.maxValue(max, `a whole number from ${min} to ${max}`),
  )

/** Parses "on" or "off". */
export const onOff: v.GenericSchema<unknown, boolean> = v.pipe(
  v.picklist(['on', 'off'], '"on" or "off"'),
  v.transform((word) => word === 'on'),
)

/** Parses a non-empty string. */
export const text: v.GenericSchema<string> = v.pipe(v.string(), v.nonEmpty('non-empty'))

/** Splits a string at commas and whitespace. */
export const list = (text: string): readonly string[] => text.split(/[\s,]+/).filter((word) => word !== '')

/** Returns whether a string is an http or https URL. */
export const isHttpUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

/** Parses a list of node URLs for each chain. */
export const rpcUrls: v.GenericSchema<string, ReadonlyMap<string, readonly string[]>> = v.pipe(
  v.string(),
  v.check(
    (text) =>
      entriesOf(text).every(
        ({ chain, urls }) => /^[-a-z0-9]{3,8}:[-\w]{1,64}$/.test(chain) && urls.length > 0 && urls.every(isHttpUrl),
      ),
    'in the form eip155:1=https://one.example,https://two.example;eip155:10=https://three.example',
  ),
  v.check(
    (text) => entriesOf(text).every(({ chain }) => !/^eip155:(?!\d+$)/.test(chain)),
    'a list of chains, with numbers after eip155:',
  ),
  v.transform(
    (text): ReadonlyMap<string, readonly string[]> => new Map(entriesOf(text).map(({ chain, urls }) => [chain, urls])),
  ),
)

/** Parses a list of origins that can contain wildcards. */
export const originPatterns: v.GenericSchema<string, readonly string[]> = v.pipe(
  v.string(),
  v.transform(list),
  v.check(
    (all) => all.every((item) => /^(https?:\/\/)?[\w*.-]+(:\d{1,5})?$/i.test(item)),
    'origins like https://shop.example,https://*.shop.example',
  ),
)

/**
 * Parses an origin without a path, such as the keys origin. Allows http only for host names that always resolve to this machine.
 */
export const separateOrigin: v.GenericSchema<string, string> = v.pipe(
  v.string(),
  v.check((input) => URL.canParse(input), 'a separate origin, like https://keys.shop.example'),
  v.check((input) => {
    if (!URL.canParse(input)) return true
    return new URL(input).origin === input.replace(/\/$/, '')
  }, 'an origin without a path, like https://keys.shop.example'),
  v.check((input) => {
    if (!URL.canParse(input)) return true
    const { protocol, hostname } = new URL(input)
    const isHere = hostname === 'localhost' || hostname.endsWith('.localhost')
    return protocol === 'https:' || (protocol === 'http:' && isHere)
  }, 'https: over http, anyone on the network could change the code that holds the keys, and browsers allow neither passkeys nor secure cookies. Only localhost and names under .localhost can use http'),
  v.transform((input) => new URL(input).origin),
)

/** The error message for an invalid URL. Parsing usually fails because the password contains an unescaped special character. */
export const percentEncodedUrl: string =
  'a valid URL: special characters in the user name or password must be percent-encoded, as in p%40ss for p@ss'

function entriesOf(input: string): { chain: string; urls: string[] }[] {
  return input
    .split(';')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => {
      const at = entry.indexOf('=')
      const urls =
        at < 0
          ? []
          : entry
              .slice(at + 1)
              .split(',')
              .map((url) => url.trim())
              .filter((url) => url !== '')
      return { chain: at < 0 ? entry : entry.slice(0, at).trim(), urls }
    })
}
