import type { ChainId } from '@latchkey/protocol/caip'

/** `bytes` as 0x-hex. */
export function toHex(bytes: Uint8Array): `0x${string}` {
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** `amount` as a 0x quantity: no leading zeros. */
export function toQuantity(amount: bigint): `0x${string}` {
  return `0x${amount.toString(16)}`
}

/** The bytes of 0x-hex with an even number of digits, or `undefined`. */
export function fromHex(hex: unknown): Uint8Array | undefined {
  if (typeof hex !== 'string' || !/^0x([0-9a-f]{2})*$/i.test(hex)) return undefined
  const bytes = new Uint8Array((hex.length - 2) / 2)
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(hex.slice(2 + at * 2, 4 + at * 2), 16)
  return bytes
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
