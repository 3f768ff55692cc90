import { parseJson } from '@latchkey/protocol/parseJson'
import * as v from 'valibot'
import { HttpError } from '../../errors/httpError.ts'

/** How far a signed time can be in the future, in seconds, because client clocks can be ahead. */
const maxAheadSeconds = 10

const attributeMap = v.record(v.string(), v.string())
const timestamp = v.pipe(v.number(), v.integer(), v.minValue(0))

const registration = v.object({ name: v.string(), attributes: v.nullish(attributeMap), timestamp })
const attributesChange = v.object({ attributes: attributeMap, timestamp })
const addressChange = v.object({ coin_type: v.number(), address: v.string(), timestamp })

/** Parses the text that an account signed to register a name. */
export const parseRegistration = (text: string): v.InferOutput<typeof registration> => parse(registration, text)

/** Parses the text that an account signed to replace the attributes of its name. */
export const parseAttributesChange = (text: string): v.InferOutput<typeof attributesChange> =>
  parse(attributesChange, text)

/** Parses the text that an account signed to set an address of its name. */
export const parseAddressChange = (text: string): v.InferOutput<typeof addressChange> => parse(addressChange, text)

function parse<Output>(schema: v.GenericSchema<unknown, Output>, text: string): Output {
  let json: unknown
  try {
    json = parseJson(text, { maxDepth: 4 })
  } catch {
    throw new HttpError(400, 'message', 'The signed message is not JSON')
  }
  const parsed = v.safeParse(schema, json)
  if (parsed.success) return parsed.output
  const field = v.getDotPath(parsed.issues[0])?.replace(/\..*/s, '') ?? 'message'
  throw new HttpError(400, field, 'The signed message is not valid')
}

/**
 * Checks the time in a signed message. Users need time to read and approve a message, so `signingSeconds` is longer than the
 * ten seconds that other servers allow. Replays are detected separately.
 *
 * @throws {HttpError} 400 if the message is too old, or from the future.
 */
export function checkSignedTime(signedAt: number, { now, signingSeconds }: { now: number; signingSeconds: number }) {
  const age = now / 1000 - signedAt
  if (age > signingSeconds)
    throw new HttpError(
      400,
      'timestamp',
      'The signed message has expired: check the clock of your device and try again',
    )
  if (age < -maxAheadSeconds)
    throw new HttpError(400, 'timestamp', 'The signed message is from the future: check the clock of your device')
}

const maxBioLength = 255
// Letters of every script, but no invisible characters, bidirectional controls, line breaks, markup or emoji.
const bioPattern = /^[\p{L}\p{M}\p{N} .,:;!?'"@/_&=+#()-]*$/u

/**
 * Checks the attributes of a name. The only attribute is `bio`.
 *
 * @throws {HttpError} 400 for any other attribute or an invalid value.
 */
export function checkAttributes(attributes: Readonly<Record<string, string>>): void {
  for (const [key, value] of Object.entries(attributes)) {
    if (key !== 'bio') throw new HttpError(400, 'attributes', 'The only supported attribute is "bio"')
    if (value.length > maxBioLength)
      throw new HttpError(400, 'attributes', `"bio" is longer than ${maxBioLength} characters`)
    if (!bioPattern.test(value)) throw new HttpError(400, 'attributes', '"bio" has characters that are not supported')
  }
}
