import { defineConfig } from 'vitest/config'
import suites from '../vitest.config.ts'

// Configures the tests that `mutate.mjs` runs for each mutant. `npm test` uses vitest.config.ts instead.
/**
 * The tests near the mutated code (all Node tests if empty), the tests to skip, the timeout for a test, and whether the browser
 * tests run as well.
 * @type {{ tests: string[], slow: string[], testTimeoutMs: number, browser: boolean }}
 */
const { tests, slow, testTimeoutMs, browser } = JSON.parse(
  process.env.MUTATE_TESTS ?? '{ "tests": [], "slow": [], "testTimeoutMs": 60000, "browser": false }',
)
const all = ['packages/**/*.test.{ts,tsx}', 'apps/**/*.test.ts', 'conformance/**/*.test.ts']

const conditions = ['@latchkey/source', 'node', 'module']

const node = {
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    name: 'node',
    environment: 'node',
    // A mutant is tested in a single worker that loads each module once.
    isolate: false,
    testTimeout: testTimeoutMs,
    hookTimeout: 120_000,
    include: tests.length > 0 ? tests : all,
    exclude: ['**/*.browser.test.*', '**/node_modules/**', '**/dist/**', ...slow],
  },
}

/** @type {any} */
const [, inBrowser] = /** @type {any} */ (suites).test.projects

export default defineConfig({
  test: {
    projects: browser ? [node, { ...inBrowser, test: { ...inBrowser.test, testTimeout: testTimeoutMs } }] : [node],
  },
})
