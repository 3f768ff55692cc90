import * as v from 'valibot'
import { methodClass } from './rpcMethods.ts'

// Parameters are validated but never rewritten, because a page can pass fields that this version does not support. Those fields,
// such as `atomicRequired` from EIP-5792, must be preserved.

/** The commitment levels accepted in a Solana request. Latchkey only sends the first three. */
export const commitments = [
  'processed',
  'confirmed',
  'finalized',
  'recent',
  'single',
  'singleGossip',
  'root',
  'max',
] as const

const hexText = v.pipe(v.string(), v.startsWith('0x', 'Expected a string that starts with 0x'))
const base58 = v.pipe(v.string(), v.regex(/^[1-9A-HJ-NP-Za-km-z]{1,4096}$/, 'Expected up to 4 kB of base58'))
const chain = v.union([v.string(), v.number()])
const anything = v.optional(v.unknown())
const list = v.array(v.unknown())

const sendCalls = v.array(
  v.looseObject({
    chainId: v.optional(chain),
    from: v.optional(v.string()),
    version: v.optional(v.string()),
    capabilities: anything,
    calls: v.array(
      v.looseObject({ to: hexText, data: v.optional(hexText), value: v.optional(v.union([v.string(), v.bigint()])) }),
    ),
  }),
)
const sendOptions = v.looseObject({
  skipPreflight: v.optional(v.boolean()),
  preflightCommitment: v.optional(v.picklist(commitments)),
  maxRetries: v.optional(v.number()),
  minContextSlot: v.optional(v.number()),
})

/** Schemas for the methods whose parameters are not an arbitrary list. */
const shapes: ReadonlyMap<string, v.GenericSchema> = new Map<string, v.GenericSchema>([
  ['eth_accounts', anything],
  ['eth_blockNumber', anything],
  ['eth_chainId', anything],
  ['eth_gasPrice', anything],
  ['eth_maxPriorityFeePerGas', anything],
  ['eth_newBlockFilter', anything],
  ['eth_newPendingTransactionFilter', anything],
  ['eth_syncing', v.optional(list)],
  ['eth_supportedEntryPoints', v.optional(list)],
  ['wallet_getCapabilities', v.optional(v.array(v.unknown()))],
  ['wallet_getCallsStatus', v.array(v.string())],
  ['wallet_getAssets', anything],
  ['wallet_getGrantedExecutionPermissions', anything],
  ['wallet_getSupportedExecutionPermissions', anything],
  ['wallet_revokePermissions', anything],
  ['wallet_sendCalls', sendCalls],
  ['solana_signMessage', v.looseObject({ message: base58, pubkey: base58 })],
  ['solana_signTransaction', v.looseObject({ transaction: base58 })],
  ['solana_signAllTransactions', v.looseObject({ transactions: v.array(base58) })],
  ['solana_signAndSendTransaction', v.looseObject({ transaction: base58, options: v.optional(sendOptions) })],
])

/**
 * The maximum length of a request's parameters as JSON. Our frame ignores messages that are twice as long, and the page would
 * wait forever for a response.
 */
const maxParamsLength = 500_000

/** Returns why `params` are invalid for `method`, or `undefined` if they are valid. Unlisted methods are not checked. */
export function complaintAbout(method: string, params: unknown): string | undefined {
  if (methodClass(method) === 'refused') return undefined
  const result = v.safeParse(shapes.get(method) ?? list, params, { abortEarly: true })
  if (!result.success) return `${method}: ${result.issues[0].message}`
  return JSON.stringify(withHexIntegers(params) ?? 0).length > maxParamsLength ? `${method}: Too large` : undefined
}

/** Converts every bigint in `value` to 0x-prefixed hex, including those nested in arrays and plain objects. */
export function withHexIntegers(value: unknown): unknown {
  if (typeof value === 'bigint') return value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`
  if (Array.isArray(value)) return value.map(withHexIntegers)
  if (!isPlain(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withHexIntegers(entry)]))
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
