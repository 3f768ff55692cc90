// `npm run trace`: prints each requirement row with the tests that reference it, based on the reports from the last run. The
// output ends with three lists: rows that are proved completely, rows that are proved in part or only by constants, and rows
// without a passing test. Exits with code 1 if a required row has no passing test, or if a title references an unknown row or
// more than three rows.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createProof, rowsOf } from './analyzeTestSources.mjs'
import { root } from './bootstrap.mjs'
import { readResults } from './testResults.mjs'

/**
 * @typedef {{ id: string, title: string, required?: boolean, note?: string }} Row
 * @typedef {import('./testResults.mjs').Result} Result
 * @typedef {{ row: string, part: string, test: string | null }} Part A part of a row that needs its own
 *   test. `test` is the test's title or a part of it, or `null` if there is no test.
 * @typedef {Row & { tests: Result[], missing: string[], real: boolean, state: 'whole' | 'part' | 'constant' | 'failing' | 'none' }} Traced
 */

/**
 * Returns each row with its tests. The state is `constant` if the row's tests use only values, or code that the product never
 * calls. It is `part` if a reviewed part of the row has no passing test. `real` is `true` if at least one of the row's tests runs
 * in `e2e/`, with a real chain, server and browser.
 * @param {{ rows: readonly Row[], results: readonly Result[], parts?: readonly Part[], acts?: (test: Result, row: string) => boolean }} options
 * @returns {Traced[]}
 */
export function trace({ rows, results, parts = [], acts = () => true }) {
  return rows.map((row) => {
    const tests = results.filter((test) => test.outcome !== 'skipped' && rowsOf(test.title).includes(row.id))
    const failing = tests.some((test) => test.outcome === 'failed')
    const real = tests.some((test) => /(^|\/)e2e\//.test(test.file))
    const missing = parts
      .filter((test) => test.row === row.id)
      .filter(({ test: title }) => title === null || !tests.some((test) => test.title.includes(title)))
      .map(({ part }) => part)
    const proved = missing.length > 0 ? 'part' : tests.some((test) => acts(test, row.id)) ? 'whole' : 'constant'
    const state = tests.length === 0 ? 'none' : failing ? 'failing' : proved
    return { ...row, tests, missing, real, state }
  })
}

/**
 * Returns one sentence for each problem in the trace.
 * @param {readonly Traced[]} traced
 * @param {readonly Result[]} results
 * @returns {string[]}
 */
export function problems(traced, results) {
  const known = new Set(traced.map((row) => row.id))
  const missing = traced
    .filter((row) => row.required && (row.state === 'none' || row.state === 'failing'))
    .map((row) => `${row.id} ${row.state === 'none' ? 'has no test' : 'has a failing test'}: ${row.title}`)
  const titles = results.flatMap(({ title }) => {
    const rows = rowsOf(title)
    const unknown = rows.filter((id) => !known.has(id)).map((id) => `"${title}" names ${id}, which is no row.`)
    return rows.length > 3 ? [...unknown, `"${title}" names more than three rows.`] : unknown
  })
  return [...missing, ...titles]
}

/**
 * Returns the lists at the end of the trace. Only rows that are proved completely count as proved.
 * @param {readonly Traced[]} traced
 * @returns {string}
 */
export function summary(traced) {
  const of = (/** @type {Traced['state'][]} */ ...states) => traced.filter(({ state }) => states.includes(state))
  const ids = (/** @type {readonly Traced[]} */ list) => list.map(({ id }) => id).join(' ') || '–'
  const whole = of('whole')
  const required = traced.filter((row) => row.required)
  const partly = of('part', 'constant')
  return [
    `Whole (${whole.length}, of which end to end ${whole.filter(({ real }) => real).length}): ${ids(whole)}`,
    `In part, or by constants alone (${partly.length}): ${partly.length === 0 ? '–' : ''}`,
    ...partly.map(
      ({ id, state, missing }) => `  ${id.padEnd(6)} ${state === 'constant' ? 'constants alone' : missing.join('; ')}`,
    ),
    `Without a passing test (${of('none', 'failing').length}): ${ids(of('none', 'failing'))}`,
    '',
    `${required.filter(({ state }) => state === 'whole').length} of ${required.length} required rows proved whole; of all ${traced.length}: ${whole.length}`,
  ].join('\n')
}

/**
 * Returns a function that checks whether a result's test covers behavior. If the title is not a literal in the source, for
 * example because it comes from a table, any test with such a title in the same file matches.
 * @param {string} folder
 * @returns {(test: Result, row: string) => boolean}
 */
export function actsBy(folder) {
  const proof = createProof(folder)
  return ({ file }, row) => {
    const path = isAbsolute(file) ? file : join(folder, file)
    if (!existsSync(path)) return true
    const tests = proof.testsOf(path)
    const tagged = tests.filter(({ rows }) => rows.includes(row))
    return (tagged.length > 0 ? tagged : tests.filter(({ title }) => /%|…/.test(title))).some(({ acts }) => acts)
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const short = process.argv.includes('--failing-only')
  const read = (/** @type {string} */ path) => JSON.parse(readFileSync(join(root, path), 'utf8'))
  /** @type {{ rows: Row[] }} */
  const { rows } = read('conformance/requirements.json')
  /** @type {{ parts: Part[] }} */
  const { parts } = read('conformance/requirementParts.json')
  const folder = join(root, 'test-results')
  const reports = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
  const results = reports.flatMap((name) => readResults(join(folder, name)))
  if (results.length === 0) {
    process.stderr.write(
      '✗ No test has left a report in test-results/ yet. Run npm test, or parts: npm test -- unit e2e\n',
    )
    process.exit(1)
  }
  const traced = trace({ rows, results, parts, acts: actsBy(root) })
  const marks = { whole: '✓', part: '◐', constant: '◐', failing: '✗', none: '·' }
  for (const { id, title, note, tests, state, real } of short ? [] : traced) {
    const suffix = state === 'constant' ? ' (constants alone)' : state === 'whole' && !real ? ' (fakes)' : ''
    process.stdout.write(`${marks[state]} ${id.padEnd(6)} ${title}${note ? ` – ${note}` : ''}${suffix}\n`)
    for (const test of tests) {
      const mark = test.outcome === 'passed' ? '✓' : '✗'
      process.stdout.write(`      ${mark} ${test.title}  (${relative(root, join(root, relative(root, test.file)))})\n`)
    }
  }
  const found = problems(traced, results)
  for (const sentence of found) process.stdout.write(`✗ ${sentence}\n`)
  process.stdout.write(`\n${summary(traced)}\n`)
  process.exitCode = found.length === 0 ? 0 : 1
}
