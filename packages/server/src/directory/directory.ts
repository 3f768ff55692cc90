import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import type { Directory, DirectoryPage, DirectoryQuery } from '../serverDependencies.ts'

/**
 * Creates a wallet directory from an immutable list. Results are sorted by `order`, and wallets without `order` come last.
 *
 * Internally, a wallet is identified by its index in the sorted list. Names are indexed by n-grams of up to three characters, so
 * that a search only checks the wallets whose names contain the rarest n-gram in the query. The other filters are masks with one
 * byte per wallet. Each wallet is serialized only once.
 */
export function createDirectory(list: readonly Wallet[]): Directory {
  const wallets = unique(list).sort((a, b) => orderOf(a) - orderOf(b))
  const rows = wallets.map((wallet) => JSON.stringify(wallet))
  const names = wallets.map((wallet) => fold(wallet.name))
  const places = new Map(wallets.map((wallet, place) => [wallet.id, place]))
  const pieces = indexOfPieces(names)
  const everything = new Uint8Array(wallets.length).fill(1)
  const chains = masksOf(wallets, (wallet) => wallet.chains ?? [])
  // Combined masks for several chains. They are cached because a page requests the same chains every time.
  const unions = new Map<string, Uint8Array>()
  const badges = masksOf(wallets, (wallet) => [wallet.badge_type ?? 'none'])

  function maskOf({ include, exclude, chains: query, badge }: DirectoryQuery): Uint8Array {
    let mask: Uint8Array = everything
    if (include.length > 0) {
      mask = new Uint8Array(wallets.length)
      for (const place of placesOf(include)) mask[place] = 1
    }
    if (query.length > 0) mask = mask === everything ? chainMask(query) : both(mask, chainMask(query))
    if (badge) mask = both(mask, badges.get(badge) ?? new Uint8Array(wallets.length))
    if (exclude.length > 0) {
      mask = mask.slice()
      for (const place of placesOf(exclude)) mask[place] = 0
    }
    return mask
  }

  function chainMask(query: readonly string[]): Uint8Array {
    const key = query.join()
    const known = unions.get(key)
    if (known) return known
    const union = anyOf(
      query.map((chain) => chains.get(chain)),
      wallets.length,
    )
    if (unions.size >= 64) unions.clear()
    unions.set(key, union)
    return union
  }

  function placesOf(ids: readonly string[]): number[] {
    return ids.map((id) => places.get(id)).filter((place) => place !== undefined)
  }

  function find(query: DirectoryQuery): DirectoryPage {
    const search = fold(query.search)
    const mask = maskOf(query)
    const candidates = search ? rarest(pieces, search) : undefined
    const isExact = search.length <= maxPieceLength
    const first = (query.page - 1) * query.entries
    const last = first + query.entries
    const data: string[] = []
    let count = 0
    const length = candidates ? candidates.length : wallets.length
    for (let at = 0; at < length; at += 1) {
      const place = candidates ? (candidates[at] as number) : at
      if (mask[place] === 0) continue
      if (!isExact && !names[place]?.includes(search)) continue
      if (count >= first && count < last) data.push(rows[place] as string)
      count += 1
    }
    return { data, count }
  }

  return { find, size: wallets.length }
}

const maxPieceLength = 3

function orderOf(wallet: Wallet): number {
  return wallet.order ?? Number.MAX_SAFE_INTEGER
}

function fold(text: string): string {
  return text.trim().toLowerCase()
}

function unique(list: readonly Wallet[]): Wallet[] {
  const seen = new Map<string, Wallet>()
  for (const wallet of list) if (!seen.has(wallet.id)) seen.set(wallet.id, wallet)
  return [...seen.values()]
}

function indexOfPieces(names: readonly string[]): Map<string, number[]> {
  const index = new Map<string, number[]>()
  for (const [place, name] of names.entries()) {
    for (let at = 0; at < name.length; at += 1) {
      for (let length = 1; length <= maxPieceLength && at + length <= name.length; length += 1) {
        const piece = name.slice(at, at + length)
        const found = index.get(piece)
        if (!found) index.set(piece, [place])
        else if (found.at(-1) !== place) found.push(place)
      }
    }
  }
  return index
}

function rarest(pieces: Map<string, number[]>, search: string): readonly number[] {
  if (search.length <= maxPieceLength) return pieces.get(search) ?? []
  let best: readonly number[] | undefined
  for (let at = 0; at + maxPieceLength <= search.length; at += 1) {
    const found = pieces.get(search.slice(at, at + maxPieceLength))
    if (!found) return []
    if (!best || found.length < best.length) best = found
  }
  return best ?? []
}

function masksOf(wallets: readonly Wallet[], keysOf: (wallet: Wallet) => readonly string[]): Map<string, Uint8Array> {
  const masks = new Map<string, Uint8Array>()
  for (const [place, wallet] of wallets.entries()) {
    for (const key of keysOf(wallet)) {
      const mask = masks.get(key) ?? new Uint8Array(wallets.length)
      masks.set(key, mask)
      mask[place] = 1
    }
  }
  return masks
}

function anyOf(masks: readonly (Uint8Array | undefined)[], length: number): Uint8Array {
  const found = masks.filter((mask) => mask !== undefined)
  if (found.length === 1) return found[0] as Uint8Array
  const union = new Uint8Array(length)
  for (const mask of found)
    for (let at = 0; at < length; at += 1) union[at] = (union[at] as number) | (mask[at] as number)
  return union
}

function both(a: Uint8Array, b: Uint8Array): Uint8Array {
  const result = new Uint8Array(a.length)
  for (let at = 0; at < a.length; at += 1) result[at] = (a[at] as number) & (b[at] as number)
  return result
}
