import { fromBase64Url, fromUtf8, toBase64Url, toUtf8 } from '@latchkey/protocol/bytes'
import * as v from 'valibot'
import { HttpError } from '../../errors/httpError.ts'

/** The position of a transaction on a chain. On Solana, the block is the slot, and the index is always 0. */
export interface Position {
  readonly block: number
  readonly index: number
  /** The signature of a transaction at or after this position. Only on Solana, whose nodes search from a signature. */
  readonly signature?: string | undefined
}

const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const schema = v.strictObject({
  chainId: v.string(),
  account: v.string(),
  block: whole,
  index: whole,
  signature: v.optional(v.pipe(v.string(), v.regex(/^[1-9A-HJ-NP-Za-km-z]{64,90}$/))),
})

/** Returns the cursor of the page that starts after `position`. It is bound to the chain and the account. */
export function writeCursor(of: { chainId: string; account: string }, { block, index, signature }: Position): string {
  return toBase64Url(toUtf8(JSON.stringify({ ...of, block, index, signature })))
}

/**
 * Returns the position in a cursor.
 *
 * @throws {HttpError} 400 if the cursor is malformed, or belongs to another chain or account.
 */
export function readCursor(of: { chainId: string; account: string }, cursor: string): Position {
  const parsed = v.safeParse(schema, readJson(cursor))
  if (!parsed.success || parsed.output.chainId !== of.chainId || parsed.output.account !== of.account)
    throw new HttpError(400, 'cursor', 'The cursor is not valid for this account and chain')
  const { block, index, signature } = parsed.output
  return { block, index, signature }
}

function readJson(cursor: string): unknown {
  const bytes = fromBase64Url(cursor)
  const text = bytes && fromUtf8(bytes)
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
