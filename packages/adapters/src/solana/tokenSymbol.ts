import { fromBase64, fromUtf8, toUtf8 } from '@latchkey/protocol/bytes'
import { readAccounts, tokenPrograms } from './createTransfer.ts'
import { mintExtension, viewOf } from './mintExtensions.ts'
import { keyOf, programAddress } from './programAddress.ts'
import type { SolanaNode } from './solanaNode.ts'

/** The program that stores the names of most tokens (Metaplex Token Metadata). */
const metadataProgram = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s'
/** The offset of a token's name in its Metaplex account, and in the metadata extension of Token-2022. */
const nameAt = { account: 65, extension: 64 } as const

/** Reads a token's symbol from its mint or, if the mint has no metadata, from Metaplex. `undefined` if there is no symbol. */
export async function readTokenSymbol(node: SolanaNode, mint: string): Promise<string | undefined> {
  const seeds = [toUtf8('metadata'), keyOf(metadataProgram), keyOf(mint)]
  const [token, metadata] = await readAccounts(node, [mint, await programAddress(seeds, metadataProgram)])
  if (!token || !tokenPrograms.includes(token.owner)) return undefined
  const own = mintExtension(bytesOf(token), 'metadata')
  if (own) return symbolIn(own, nameAt.extension)
  return metadata?.owner === metadataProgram ? symbolIn(bytesOf(metadata), nameAt.account) : undefined
}

function bytesOf({ data }: { readonly data: readonly [string, string] }): Uint8Array {
  return fromBase64(data[0]) ?? new Uint8Array()
}

/** Returns the second of two length-prefixed strings, which can be padded with zeros. */
function symbolIn(bytes: Uint8Array, at: number): string | undefined {
  const view = viewOf(bytes)
  const lengthAt = (place: number): number => (place + 4 <= bytes.length ? view.getUint32(place, true) : bytes.length)
  const start = at + 4 + lengthAt(at)
  const symbol = fromUtf8(bytes.subarray(start + 4, start + 4 + lengthAt(start)))
  return symbol?.replaceAll('\0', '').trim() || undefined
}
