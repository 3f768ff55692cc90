/** A call to a contract, with encoded arguments. */
export interface EncodedCall {
  readonly to: `0x${string}`
  readonly data: `0x${string}`
}

/** Bytes that a contract returned. `undefined` if the call failed. */
export type Returned = `0x${string}` | undefined

// Encodes `aggregate3((address target, bool allowFailure, bytes callData)[])` of Multicall3. With viem, this takes several
// times as long for the balances of an account, and more code has to be loaded.

const selector = '82ad56cb'
const wordBytes = 32

/** Returns the calldata that executes `calls`. A call that fails does not fail the others. */
export function encodeAggregate(calls: readonly EncodedCall[]): `0x${string}` {
  const items = calls.map(({ to, data }) => {
    const bytes = data.slice(2)
    const padding = '0'.repeat((64 - (bytes.length % 64)) % 64)
    return `${to.slice(2).toLowerCase().padStart(64, '0')}${word(1)}${word(96)}${word(bytes.length / 2)}${bytes}${padding}`
  })
  let offset = items.length * wordBytes
  const offsets = items.map((item) => {
    const at = word(offset)
    offset += item.length / 2
    return at
  })
  return `0x${selector}${word(wordBytes)}${word(items.length)}${offsets.join('')}${items.join('')}`
}

/**
 * Returns the results of `count` calls, with `undefined` for each call that failed. Returns `undefined` if `data` is not a
 * result of `aggregate3`, such as if the contract is not Multicall3.
 */
export function decodeAggregate(data: string, count: number): readonly Returned[] | undefined {
  const size = (data.length - 2) / 2
  /** Returns the number at a byte, or `NaN` outside of the data. */
  const numberAt = (byte: number): number =>
    byte + wordBytes <= size ? Number(`0x${data.slice(2 + 2 * byte, 2 + 2 * (byte + wordBytes))}`) : Number.NaN
  if (numberAt(0) !== wordBytes || numberAt(wordBytes) !== count) return undefined
  const start = 2 * wordBytes
  const results: Returned[] = []
  for (let at = 0; at < count; at += 1) {
    const item = start + numberAt(start + at * wordBytes)
    const success = numberAt(item)
    const bytes = item + numberAt(item + wordBytes)
    const length = numberAt(bytes)
    const from = bytes + wordBytes
    // Also false for numbers outside of the data.
    if (!(success <= 1 && from + length <= size)) return undefined
    results.push(success === 1 ? `0x${data.slice(2 + 2 * from, 2 + 2 * (from + length))}` : undefined)
  }
  return results
}

function word(value: number): string {
  return value.toString(16).padStart(64, '0')
}
