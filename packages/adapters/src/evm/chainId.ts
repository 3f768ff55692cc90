import type { ChainId } from '@latchkey/protocol/caip'

/** `amount` as a 0x quantity: no leading zeros. */
export function toQuantity(amount: bigint): `0x${string}` {
  return `0x${amount.toString(16)}`
}

/**
 * The CAIP-2 id of a chain id as wallets tell it: hex, exact beyond 2^53; also the decimal text and the number that older
 * wallets send. `undefined` for all else.
 */
export function readChainId(told: unknown): ChainId<'eip155'> | undefined {
  const text = typeof told === 'number' && Number.isSafeInteger(told) ? String(told) : told
  if (typeof text !== 'string' || !/^(0x[0-9a-f]{1,64}|[1-9][0-9]{0,31})$/i.test(text)) return undefined
  const id = BigInt(text)
  return id > 0n ? `eip155:${id}` : undefined
}

/** The hex chain id of EIP-3326 and EIP-5792. */
export function hexChainId(chain: ChainId<'eip155'>): `0x${string}` {
  return toQuantity(BigInt(chain.slice('eip155:'.length)))
}
