import * as v from 'valibot'

// Schemas for values from EVM nodes and indexers. Nodes are not trusted, so every value is validated.

/** The hash of a transaction or block. */
export const hashText = v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{64}$/), v.toLowerCase())

/** An address, in lower case. */
export const addressText: v.GenericSchema<unknown, `0x${string}`> = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-fA-F]{40}$/),
  v.transform((text) => text.toLowerCase() as `0x${string}`),
)

/** A hexadecimal block number or position, as a safe integer. */
export const hexIndex: v.GenericSchema<unknown, number> = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-fA-F]{1,13}$/),
  v.transform(Number),
)

/** A hexadecimal amount with at most 256 bits. */
export const hexAmount: v.GenericSchema<unknown, bigint> = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-fA-F]{1,64}$/),
  v.transform((text) => BigInt(text)),
)

/** Hexadecimal data. */
export const hexData: v.GenericSchema<unknown, `0x${string}`> = v.pipe(
  v.string(),
  v.regex(/^0x([0-9a-fA-F]{2})*$/),
  v.transform((text) => text.toLowerCase() as `0x${string}`),
)

/** A log in a receipt. */
export interface EventLog {
  readonly address: `0x${string}`
  readonly topics: readonly string[]
  readonly data: `0x${string}`
}

/** The fields of a transaction that the history needs. */
export const nodeTransaction = v.object({
  hash: hashText,
  from: addressText,
  to: v.nullish(addressText),
  value: hexAmount,
  input: hexData,
  // Transactions that a rollup creates itself can have any nonce.
  nonce: v.fallback(v.nullish(hexIndex), undefined),
  blockNumber: hexIndex,
  transactionIndex: hexIndex,
})

/** The receipt of a transaction. Before the Byzantium fork, receipts had no status. */
export const nodeReceipt = v.object({
  transactionHash: hashText,
  status: v.nullish(hexIndex),
  contractAddress: v.nullish(addressText),
  logs: v.array(v.object({ address: addressText, topics: v.pipe(v.array(hashText), v.maxLength(4)), data: hexData })),
})

/** The latest time that a JavaScript `Date` can represent, in seconds since the Unix epoch. */
const maxSeconds = 8.64e12

/** The header of a block. */
export const nodeBlock = v.object({ number: hexIndex, timestamp: v.pipe(hexIndex, v.maxValue(maxSeconds)) })

/** Transfers of the native currency by contracts (`ots_getInternalOperations`). Type 0 is a call with a value. */
export const nodeOperations = v.array(
  v.object({ type: v.number(), from: addressText, to: addressText, value: hexAmount }),
)
