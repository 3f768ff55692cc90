import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { draw, inFull, samplePlaces } from './mutate.mjs'

const all = Array.from({ length: 1_000 }, (_, at) => at)
const drawNumbers = (numbers: readonly number[], count: number, seed: number) => draw(numbers, count, seed, String)

test('the same seed selects the same sample without duplicates, and a different seed selects a different sample', () => {
  const sample = drawNumbers(all, 100, 7)
  expect(sample).toEqual(drawNumbers(all, 100, 7))
  expect(new Set(sample).size).toBe(100)
  expect(drawNumbers(all, 100, 8)).not.toEqual(sample)
})

test('a sample is spread over all items, and is never larger than the number of items', () => {
  const sample = drawNumbers(all, 200, 1)
  for (const from of [0, 250, 500, 750])
    expect(sample.filter((at) => at >= from && at < from + 250).length).toBeGreaterThan(25)
  expect(drawNumbers([1, 2, 3], 500, 1)).toHaveLength(3)
})

test('adding code hardly changes which of the other mutants are selected', () => {
  const sample = drawNumbers(all, 100, 1)
  const more = drawNumbers([-3, -2, -1, ...all.toReversed()], 100, 1)
  expect(more.filter((at) => sample.includes(at)).length).toBeGreaterThanOrEqual(97)
  const repeated = draw(['same', 'same', 'same', 'other'], 4, 1, (key) => key)
  expect(repeated.toSorted()).toEqual(['other', 'same', 'same', 'same'])
})

test('a sample includes all mutants inside each selected mutant, and has at least the requested size', () => {
  const mutant = (fileName: string, from: number, to: number) => ({
    fileName,
    mutatorName: 'BlockStatement',
    original: `${from}–${to}`,
    replacement: '{}',
    location: { start: { line: from, column: 0 }, end: { line: to, column: 9 } },
  })
  const block = mutant('a.ts', 1, 20)
  const inner = Array.from({ length: 4 }, (_, at) => mutant('a.ts', 2 + at, 2 + at))
  const others = Array.from({ length: 40 }, (_, at) => mutant('b.ts', at, at))
  expect(samplePlaces([block, ...inner], 1, 1).count).toBeOneOf([1, 5])
  expect(samplePlaces([block, ...inner, ...others], 45, 1).count).toBe(45)
  for (const seed of [1, 2, 3, 4]) {
    const { places, count } = samplePlaces([block, ...inner, ...others], 10, seed)
    const isDrawn = places.includes(block)
    expect(count).toBeGreaterThanOrEqual(10)
    expect(places.length + (isDrawn ? inner.filter((place) => !places.includes(place)).length : 0)).toBe(count)
  }
})

/** Expands the braces in a glob: `{a,b}.ts` becomes `a.ts` and `b.ts`. */
function alternatives(glob: string): readonly string[] {
  const [, before = '', list = '', after = ''] = /^(.*?)\{([^}]*)\}(.*)$/.exec(glob) ?? []
  return list === '' ? [glob] : list.split(',').flatMap((option) => alternatives(before + option + after))
}

test('each folder, test and slow test that a part names exists', () => {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' }).split('\n')
  const named = Object.values(inFull).flatMap(({ folders, tests, slow = [] }) => [
    ...folders.map((folder) => `${folder}/**`),
    ...tests,
    ...slow,
  ])
  for (const glob of named.map((glob) => glob.replace('{ts,tsx}', 'ts*')).flatMap(alternatives)) {
    const pattern = glob.replaceAll('.', '\\.').replaceAll(/\*\*\/?|\*/g, (stars) => (stars === '*' ? '[^/]*' : '.*'))
    expect(
      files.some((file) => new RegExp(`^${pattern}$`).test(file)),
      glob,
    ).toBe(true)
  }
})
