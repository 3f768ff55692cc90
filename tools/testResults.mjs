// Reads the test runners' reports in `test-results/` and converts them to a common format.

import { existsSync, readFileSync } from 'node:fs'

/**
 * @typedef {{ title: string, file: string, outcome: 'passed' | 'failed' | 'skipped', again?: true }} Result `again` is set if the
 * test passed only on the second attempt.
 */

/**
 * Returns the test results in a Vitest or Playwright report, or an empty array if the file is missing.
 * @param {string} path
 * @returns {Result[]}
 */
export function readResults(path) {
  if (!existsSync(path)) return []
  const report = JSON.parse(readFileSync(path, 'utf8'))
  if (Array.isArray(report.testResults)) return report.testResults.flatMap(fromVitest)
  if (Array.isArray(report.suites))
    return report.suites.flatMap((/** @type {any} */ suite) => fromPlaywright(suite, ''))
  return []
}

/**
 * @param {any} file
 * @returns {Result[]}
 */
function fromVitest(file) {
  // A file that could not be loaded has no tests and counts as a failure.
  if (file.assertionResults.length === 0 && file.status === 'failed') {
    return [{ title: `${file.name} could not be loaded`, file: file.name, outcome: 'failed' }]
  }
  return file.assertionResults.map((/** @type {any} */ test) => ({
    title: test.fullName,
    file: file.name,
    outcome: test.status === 'passed' ? 'passed' : test.status === 'failed' ? 'failed' : 'skipped',
  }))
}

/**
 * @param {any} suite
 * @param {string} above
 * @returns {Result[]}
 */
function fromPlaywright(suite, above) {
  const title = suite.title && suite.title !== suite.file ? `${above}${suite.title} ` : above
  const here = (suite.specs ?? []).flatMap((/** @type {any} */ spec) =>
    spec.tests.map((/** @type {any} */ test) => ({
      title: `${title}${spec.title}`,
      file: `e2e/${spec.file}`,
      outcome: test.status === 'skipped' ? 'skipped' : spec.ok ? 'passed' : 'failed',
      ...(test.status === 'flaky' && { again: true }),
    })),
  )
  return [...here, ...(suite.suites ?? []).flatMap((/** @type {any} */ inner) => fromPlaywright(inner, title))]
}
