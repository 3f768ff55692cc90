// `npm run trace`: each requirement row with the tests that carry its number, from the last run's reports.
// Exits with 1 when a required row has no passing test, or a title names a row that is not there or more than three.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './bootstrap.mjs'
import { readResults } from './results.mjs'

/**
 * @typedef {{ id: string, title: string, required?: boolean, note?: string }} Row
 * @typedef {import('./results.mjs').Result} Result
 * @typedef {Row & { tests: Result[], state: 'proved' | 'fakes' | 'failing' | 'none' }} Traced
 */

/**
 * The row numbers in a title, `R2.5` of `… [R2.5, R2.6]`.
 * @param {string} title
 * @returns {string[]}
 */
export function rowsOf(title) {
  return [...title.matchAll(/\[(R\d+\.\d+(?:[\s,]+R\d+\.\d+)*)\]/g)].flatMap(([, list = '']) => list.split(/[\s,]+/))
}

/**
 * Each row with its tests. `fakes`: no test of it runs in `e2e/`, against a real chain, server and browser.
 * @param {readonly Row[]} rows
 * @param {readonly Result[]} results
 * @returns {Traced[]}
 */
export function trace(rows, results) {
  return rows.map((row) => {
    const tests = results.filter((test) => test.outcome !== 'skipped' && rowsOf(test.title).includes(row.id))
    const failing = tests.some((test) => test.outcome === 'failed')
    const real = tests.some((test) => /(^|\/)e2e\//.test(test.file))
    const state = tests.length === 0 ? 'none' : failing ? 'failing' : real ? 'proved' : 'fakes'
    return { ...row, tests, state }
  })
}

/**
 * What keeps the trace from being whole, one sentence each.
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

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const short = process.argv.includes('--failing-only')
  /** @type {{ rows: Row[] }} */
  const { rows } = JSON.parse(readFileSync(join(root, 'conformance/requirements.json'), 'utf8'))
  const folder = join(root, 'test-results')
  const reports = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
  const results = reports.flatMap((name) => readResults(join(folder, name)))
  if (results.length === 0) {
    process.stderr.write(
      '✗ No test has left a report in test-results/ yet. Run npm test, or parts: npm test -- unit e2e\n',
    )
    process.exit(1)
  }
  const traced = trace(rows, results)
  const marks = { proved: '✓', fakes: '✓', failing: '✗', none: '·' }
  for (const { id, title, note, tests, state } of short ? [] : traced) {
    const said = state === 'fakes' ? ' (fakes)' : ''
    process.stdout.write(`${marks[state]} ${id.padEnd(6)} ${title}${note ? ` – ${note}` : ''}${said}\n`)
    for (const test of tests) {
      const mark = test.outcome === 'passed' ? '✓' : '✗'
      process.stdout.write(`      ${mark} ${test.title}  (${relative(root, join(root, relative(root, test.file)))})\n`)
    }
  }
  const found = problems(traced, results)
  for (const sentence of found) process.stdout.write(`✗ ${sentence}\n`)
  const count = (/** @type {Traced['state']} */ state) => traced.filter((row) => row.state === state).length
  const required = traced.filter((row) => row.required)
  const whole = required.filter((row) => row.state === 'proved' || row.state === 'fakes').length
  process.stdout.write(
    `\n${whole} of ${required.length} required rows proved; of all ${traced.length}: ` +
      `${count('proved')} end to end, ${count('fakes')} against fakes only, ${count('failing')} failing, ${count('none')} without a test\n`,
  )
  process.exitCode = found.length === 0 ? 0 : 1
}
