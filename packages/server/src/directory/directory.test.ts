import { describe, expect, test } from 'vitest'
import type { DirectoryQuery } from '../serverDependencies.ts'
import { createDirectory } from './directory.ts'

const query: DirectoryQuery = { page: 1, entries: 1000, search: '', badge: '', include: [], exclude: [], chains: [] }

// The mulberry32 generator. Its seed is reported so that a failure can be reproduced.
function randomFrom(seed: number): (max: number) => number {
  let state = seed
  return (max) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * max)
  }
}

describe('the wallet directory', () => {
  test('a thousand random queries return the same wallets as a linear scan [R7.3]', () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    const random = randomFrom(seed)
    const word = (longest: number) => Array.from({ length: 1 + random(longest) }, () => 'aAbB é'[random(6)]).join('')
    const chains = ['eip155:1', 'eip155:10', 'solana:x', 'cosmos:y']
    const some = <T>(list: readonly T[]) => list.filter(() => random(3) === 0)
    const wallets = Array.from({ length: 300 }, (_, index) => ({
      id: `w${index}`,
      name: word(8),
      order: random(100),
      chains: some(chains),
      badge_type: [null, 'none', 'certified'][random(3)],
    }))
    const ids = wallets.map(({ id }) => id)
    const directory = createDirectory(wallets)
    const sorted = wallets.toSorted((a, b) => a.order - b.order)

    for (let round = 0; round < 1000; round += 1) {
      const directoryQuery: DirectoryQuery = {
        page: 1 + random(3),
        entries: 1 + random(50),
        search: random(4) === 0 ? '' : word(5),
        badge: ['', 'none', 'certified', 'other'][random(4)] as string,
        include: random(3) === 0 ? [...some(ids), 'unknown'] : [],
        exclude: random(3) === 0 ? [...some(ids), 'unknown'] : [],
        chains: random(3) === 0 ? [...some(chains), 'near:z'] : [],
      }
      const text = directoryQuery.search.trim().toLowerCase()
      const expected = sorted.filter(
        ({ id, name, chains: own, badge_type }) =>
          (directoryQuery.include.length === 0 || directoryQuery.include.includes(id)) &&
          !directoryQuery.exclude.includes(id) &&
          (directoryQuery.chains.length === 0 || own.some((chain) => directoryQuery.chains.includes(chain))) &&
          name.trim().toLowerCase().includes(text) &&
          (directoryQuery.badge === '' || (badge_type ?? 'none') === directoryQuery.badge),
      )
      const from = (directoryQuery.page - 1) * directoryQuery.entries
      const found = directory.find(directoryQuery)
      expect([seed, round, found.count]).toEqual([seed, round, expected.length])
      expect(found.data).toEqual(
        expected.slice(from, from + directoryQuery.entries).map((wallet) => JSON.stringify(wallet)),
      )
    }
  })

  test('wallets that have no order are listed last, in their original order', () => {
    const directory = createDirectory([
      { id: 'a', name: 'A' },
      { id: 'b', name: 'B', order: 7 },
      { id: 'c', name: 'C' },
    ])
    expect(directory.find(query).data.map((row) => (JSON.parse(row) as { id: string }).id)).toEqual(['b', 'a', 'c'])
  })

  test('an empty directory returns empty pages', () => {
    expect(createDirectory([]).find({ ...query, search: 'a', chains: ['eip155:1'] })).toEqual({ data: [], count: 0 })
  })
})
