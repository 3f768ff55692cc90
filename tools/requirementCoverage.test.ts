import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { rowsOf } from './analyzeTestSources.mjs'
import { actsBy, problems, summary, trace } from './requirementCoverage.mjs'

const rows = [
  { id: 'R2.5', title: 'five', required: true },
  { id: 'R2.6', title: 'six' },
]

/** Returns the result of a passing test with this title. */
function passed(title: string, file = 'packages/core/src/x.test.ts') {
  return { title, file, outcome: 'passed' as const }
}

const folder = mkdtempSync(join(tmpdir(), 'latchkey-trace-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Creates a repository with the given files, and returns its `actsBy()` function. */
function repository(files: Readonly<Record<string, string>>): ReturnType<typeof actsBy> {
  const root = mkdtempSync(join(folder, 'repo-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return actsBy(root)
}

test('a title can reference one or more rows', () => {
  expect(rowsOf('it closes [R2.5] and opens [R2.6, R2.7]')).toEqual(['R2.5', 'R2.6', 'R2.7'])
  expect(rowsOf('a list [1] of R2.5')).toEqual([])
})

test('a row whose tests are all outside e2e is proved, but not end to end', () => {
  expect(trace({ rows, results: [passed('a [R2.5]')] }).map(({ state, real }) => [state, real])).toEqual([
    ['whole', false],
    ['none', false],
  ])
  expect(trace({ rows, results: [passed('a [R2.5]', 'e2e/a.spec.ts')] })[0]).toMatchObject({
    state: 'whole',
    real: true,
  })
})

test('a required row without a test, or with a failing or skipped test, is a problem', () => {
  expect(problems(trace({ rows, results: [] }), [])).toEqual(['R2.5 has no test: five'])
  const failed = [{ ...passed('a [R2.5]'), outcome: 'failed' as const }, passed('b [R2.5]')]
  expect(problems(trace({ rows, results: failed }), failed)).toEqual(['R2.5 has a failing test: five'])
  const skipped = [{ ...passed('a [R2.5]'), outcome: 'skipped' as const }]
  expect(problems(trace({ rows, results: skipped }), skipped)).toHaveLength(1)
})

test('a title that references an unknown row or four rows is a problem', () => {
  const results = [passed('a [R2.5]'), passed('b [R99.1]'), passed('c [R2.5, R2.6, R2.5, R2.6]')]
  expect(problems(trace({ rows, results }), results)).toEqual([
    '"b [R99.1]" names R99.1, which is no row.',
    '"c [R2.5, R2.6, R2.5, R2.6]" names more than three rows.',
  ])
})

test('a row with multiple parts is complete when a passing test covers each part, and lists the missing parts until then', () => {
  const results = [passed('it opens [R2.5]')]
  const parts = [
    { row: 'R2.5', part: 'opening', test: 'it opens' },
    { row: 'R2.5', part: 'closing', test: 'it closes' },
    { row: 'R2.5', part: 'shaking', test: null },
  ]
  expect(trace({ rows, results, parts })[0]).toMatchObject({ state: 'part', missing: ['closing', 'shaking'] })
  const both = [...results, passed('it closes [R2.5]')]
  expect(trace({ rows, results: both, parts: parts.slice(0, 2) })[0]).toMatchObject({ state: 'whole', missing: [] })
  // A test with that title does not count if the title does not include the row's tag.
  expect(trace({ rows, results: [...results, passed('it closes')], parts: parts.slice(0, 2) })[0]?.state).toBe('part')
})

test('a test that uses only values, or code that the product never calls, does not prove a row', () => {
  const acts = repository({
    'packages/core/src/limits.ts':
      "export const ms = 500\nexport const all = ['a', 'b'] as const\nexport function has(id) { return all.includes(id) }",
    'packages/core/src/shake.ts': "import { ms } from './limits.ts'\nexport function shake() { return wait(ms) }",
    'packages/core/src/modal.ts': "import { shake } from './shake.ts'\nshake()",
    'packages/core/src/limits.test.ts': [
      "import { expect, test } from 'vitest'",
      "import { all, has, ms } from './limits.ts'",
      "import { shake } from './shake.ts'",
      'const made = () => shake()',
      "test('a constant [R2.5]', () => expect(ms).toBe(500))",
      "test('a table that nobody reads [R2.6]', () => expect(has('a')).toBe(true))",
      "test('it waits [R2.7]', () => expect(made()).toBe(ms))",
      "test.each([['a', 'R2.8']])('%s [%s]', (id) => expect(all).toContain(id))",
    ].join('\n'),
  })
  const file = 'packages/core/src/limits.test.ts'
  const of = (row: string) => acts(passed(`[${row}]`, file), row)
  expect(['R2.5', 'R2.6', 'R2.7', 'R2.8'].map(of)).toEqual([false, false, true, false])
})

test('the trace ends with three lists, and only complete rows count as proved', () => {
  const results = [passed('constant [R2.5]'), passed('in part [R2.6]', 'e2e/x.spec.ts'), passed('whole [R2.7]')]
  const all = [...rows, { id: 'R2.7', title: 'seven', required: true }, { id: 'R2.8', title: 'eight' }]
  const parts = [{ row: 'R2.6', part: 'the other half', test: null }]
  const lines = summary(trace({ rows: all, results, parts, acts: ({ title }) => !title.startsWith('constant') })).split(
    '\n',
  )
  expect(lines).toEqual([
    'Whole (1, of which end to end 0): R2.7',
    'In part, or by constants alone (2): ',
    '  R2.5   constants alone',
    '  R2.6   the other half',
    'Without a passing test (1): R2.8',
    '',
    '1 of 2 required rows proved whole; of all 4: 1',
  ])
})
