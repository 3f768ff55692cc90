import type { Client, Hex } from 'viem'
import { call } from 'viem/actions'
import { decodeAbiParameters, hexToString, size } from 'viem/utils'

/** The selector of `symbol()`. */
const selector = '0x95d89b41'
/** The maximum length of a response, in bytes. */
const maxBytes = 1_000

/**
 * Reads a token's symbol. Resolves to `undefined` if there is no token, or if its contract does not report a symbol. Older
 * tokens, such as MKR, return `bytes32` instead of a string.
 */
export async function readTokenSymbol(client: Client, token: string): Promise<string | undefined> {
  const { data } = await call(client, { to: token as Hex, data: selector })
  if (!data || size(data) > maxBytes) return undefined
  try {
    const symbol = size(data) === 32 ? hexToString(data) : decodeAbiParameters([{ type: 'string' }], data)[0]
    return symbol.replaceAll('\0', '').trim() || undefined
  } catch {
    return undefined
  }
}
