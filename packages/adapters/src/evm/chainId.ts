import type { ChainId } from '@latchkey/protocol/caip'

/** Converts `amount` to a 0x quantity without leading zeros. */
export function toQuantity(amount: bigint): `0x${string}` {
  return `0x${amount.toString(16)}`
}

/**
 * Converts a chain ID from a wallet to CAIP-2. Accepts hex, which is exact beyond 2^53, and the decimal strings and numbers
 * that older wallets send. Returns `undefined` for other values.
 */
export function readChainId(value: unknown): ChainId<'eip155'> | undefined {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  if (typeof text !== 'string' || !/^(0x[0-9a-f]{1,64}|[1-9][0-9]{0,31})$/i.test(text)) return undefined
  const id = BigInt(text)
  return id > 0n ? `eip155:${id}` : undefined
}

/** Converts a CAIP-2 chain ID to hex, as in EIP-3326 and EIP-5792. */
export function hexChainId(chain: ChainId<'eip155'>): `0x${string}` {
  return toQuantity(BigInt(chain.slice('eip155:'.length)))
}
