import { expect, test } from 'vitest'
import { problems, rowsOf, trace } from './trace.mjs'

const rows = [
  { id: 'R2.5', title: 'five', required: true },
  { id: 'R2.6', title: 'six' },
]

/** A passing test of that title. */
function passed(title: string, file = 'packages/core/src/x.test.ts') {
  return { title, file, outcome: 'passed' as const }
}

test('a title carries one row or several', () => {
  expect(rowsOf('it closes [R2.5] and opens [R2.6, R2.7]')).toEqual(['R2.5', 'R2.6', 'R2.7'])
  expect(rowsOf('a list [1] of R2.5')).toEqual([])
})

test('a row with tests outside e2e only is marked as proved against fakes', () => {
  expect(trace(rows, [passed('a [R2.5]')]).map((row) => row.state)).toEqual(['fakes', 'none'])
  expect(trace(rows, [passed('a [R2.5]', 'e2e/a.spec.ts')])[0]?.state).toBe('proved')
})

test('a required row without a test, or with a failing or skipped one, is a problem', () => {
  expect(problems(trace(rows, []), [])).toEqual(['R2.5 has no test: five'])
  const failed = [{ ...passed('a [R2.5]'), outcome: 'failed' as const }, passed('b [R2.5]')]
  expect(problems(trace(rows, failed), failed)).toEqual(['R2.5 has a failing test: five'])
  const skipped = [{ ...passed('a [R2.5]'), outcome: 'skipped' as const }]
  expect(problems(trace(rows, skipped), skipped)).toHaveLength(1)
})

test('an unknown row and a title with four rows are problems', () => {
  const results = [passed('a [R2.5]'), passed('b [R99.1]'), passed('c [R2.5, R2.6, R2.5, R2.6]')]
  expect(problems(trace(rows, results), results)).toEqual([
    '"b [R99.1]" names R99.1, which is no row.',
    '"c [R2.5, R2.6, R2.5, R2.6]" names more than three rows.',
  ])
})
