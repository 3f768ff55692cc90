import { fromBase58 } from '@latchkey/protocol/bytes'
import { nativeTokenAddress } from '@latchkey/protocol/http/chainApi'
import { HttpError } from '../errors/httpError.ts'

/** The chain families that the chain API supports. */
export type AccountFamily = 'eip155' | 'solana'

/**
 * Returns the chain family of an address. EVM addresses with a wrong checksum are accepted, because the checksum does not
 * affect what is read.
 *
 * @throws {HttpError} 400 if the address is malformed.
 */
export function familyOfAddress(address: string): AccountFamily {
  if (isEvmAddress(address)) return 'eip155'
  if (isSolanaAddress(address)) return 'solana'
  throw new HttpError(400, 'address', 'The address is not valid')
}

/**
 * Whether a token address represents the native currency. On EVM chains, that is `0xeeee…eeee`, and on Solana the mint of
 * wrapped SOL (`So11…12`) or `So11…11`, which clients of the specification send.
 */
export function isNativeToken(address: string): boolean {
  return address.toLowerCase() === nativeTokenAddress || /^So1{40}[12]$/.test(address)
}

/** Whether text is an EVM address with the prefix `0x`. */
export function isEvmAddress(text: string): text is `0x${string}` {
  return /^0x[0-9a-fA-F]{40}$/.test(text)
}

/** Whether text is the address of a Solana account or mint: 32 bytes in base58. */
export function isSolanaAddress(text: string): boolean {
  return text.length <= 44 && fromBase58(text)?.length === 32
}
