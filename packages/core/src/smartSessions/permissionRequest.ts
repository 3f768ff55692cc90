import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { validationIssues } from '@latchkey/protocol/parseWithSchema'
import * as v from 'valibot'

/** Returns the parameters for `wallet_grantPermissions`. Throws an error that lists all issues if the request is invalid. */
export function requestOf(params: object, nowMs: number): unknown {
  const wanted = withHex({ signer, ...params })
  const wrong = validationIssues(requestSchema(nowMs), wanted)
  if (wrong.length === 0) return wanted
  throw new LatchkeyError('input/invalid', {
    path: wrong[0]?.path ?? '',
    message: wrong.map(({ path, message }) => `${path}: ${message}`).join('; '),
  })
}

/** The wallet itself signs, so the page needs no key. */
const signer = { type: 'wallet', data: {} } as const

/** Converts amounts to hex, which JSON-RPC requires. */
function withHex(value: unknown): unknown {
  if (typeof value === 'bigint') return `0x${value.toString(16)}`
  if (Array.isArray(value)) return value.map(withHex)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withHex(entry)]))
}

const address = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{40}$/i))
const hex = v.pipe(v.string(), v.regex(/^0x[0-9a-f]+$/i))
const seconds = v.pipe(v.number(), v.safeInteger())

/** The rules that can be checked before the request is sent to the wallet. */
function requestSchema(nowMs: number): v.GenericSchema {
  const later = v.pipe(seconds, v.minValue(Math.floor(nowMs / 1000)))
  const allowance = { allowance: hex, start: v.optional(later), period: v.pipe(seconds, v.minValue(1)) }
  const permission = v.variant('type', [
    v.strictObject({ type: v.literal('native-token-recurring-allowance'), data: v.strictObject(allowance) }),
    v.strictObject({
      type: v.literal('erc20-recurring-allowance'),
      data: v.strictObject({ token: address, ...allowance }),
    }),
    v.strictObject({
      type: v.literal('contract-call'),
      data: v.object({ address, abi: v.array(v.unknown()), functions: v.pipe(v.array(v.unknown()), v.minLength(1)) }),
    }),
  ])
  return v.strictObject({
    chainId: hex,
    address: v.optional(address),
    expiry: later,
    signer: v.object({ type: v.literal('wallet') }),
    permissions: v.pipe(v.array(permission), v.minLength(1)),
    policies: v.optional(v.array(v.object({ type: v.string(), data: v.unknown() }))),
  })
}
