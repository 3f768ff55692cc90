import type { Wallet } from '@latchkey/protocol/http/contract'
import type { Directory, DirectoryPage, DirectoryQuery } from '../ports.ts'

/**
 * The wallet directory over a list that does not change, sorted by `order`.
 *
 * Names are indexed by their 1-, 2- and 3-letter pieces, so a search looks at the few wallets that share the rarest piece
 * of the text instead of at all of them. Each wallet is written as JSON once.
 */
export function createDirectory(list: readonly Wallet[]): Directory {
  const wallets = unique(list).sort((a, b) => (a.order ?? Infinity) - (b.order ?? Infinity) || 0)
  const rows = wallets.map((wallet) => JSON.stringify(wallet))
  const names = wallets.map((wallet) => fold(wallet.name))
  const byId = new Map(wallets.map((wallet, index) => [wallet.id, index]))
  const byPiece = new Map<string, number[]>()
  const byChain = new Map<string, Set<number>>()
  for (const [index, name] of names.entries()) {
    for (const piece of piecesOf(name)) append(byPiece, piece, index)
    for (const chain of wallets[index]?.chains ?? []) {
      const members = byChain.get(chain)
      if (members) members.add(index)
      else byChain.set(chain, new Set([index]))
    }
  }

  function candidates(query: DirectoryQuery, search: string): Iterable<number> {
    if (query.include.length > 0) {
      const found = query.include.map((id) => byId.get(id)).filter((index) => index !== undefined)
      return [...new Set(found)].sort((a, b) => a - b)
    }
    if (search) return rarest(byPiece, search)
    return wallets.keys()
  }

  function find(query: DirectoryQuery): DirectoryPage {
    const search = fold(query.search)
    const excluded = new Set(query.exclude.map((id) => byId.get(id)))
    const chains = query.chains.map((chain) => byChain.get(chain)).filter((members) => members !== undefined)
    const first = (query.page - 1) * query.entries
    const data: string[] = []
    let count = 0
    for (const index of candidates(query, search)) {
      if (excluded.has(index)) continue
      if (query.chains.length > 0 && !chains.some((members) => members.has(index))) continue
      if (search && !names[index]?.includes(search)) continue
      if (query.badge && (wallets[index]?.badge_type ?? 'none') !== query.badge) continue
      if (count >= first && data.length < query.entries) data.push(rows[index] ?? '')
      count += 1
    }
    return { data, count }
  }

  return { find, size: wallets.length }
}

function fold(text: string): string {
  return text.trim().toLowerCase()
}

function unique(list: readonly Wallet[]): Wallet[] {
  const seen = new Map<string, Wallet>()
  for (const wallet of list) if (!seen.has(wallet.id)) seen.set(wallet.id, wallet)
  return [...seen.values()]
}

function piecesOf(name: string): Set<string> {
  const pieces = new Set<string>()
  for (let at = 0; at < name.length; at += 1) {
    for (let length = 1; length <= 3 && at + length <= name.length; length += 1) pieces.add(name.slice(at, at + length))
  }
  return pieces
}

function rarest(byPiece: Map<string, number[]>, search: string): readonly number[] {
  if (search.length <= 3) return byPiece.get(search) ?? []
  let best: readonly number[] | undefined
  for (let at = 0; at + 3 <= search.length; at += 1) {
    const found = byPiece.get(search.slice(at, at + 3))
    if (!found) return []
    if (!best || found.length < best.length) best = found
  }
  return best ?? []
}

function append(map: Map<string, number[]>, key: string, index: number): void {
  const list = map.get(key)
  if (list) list.push(index)
  else map.set(key, [index])
}
