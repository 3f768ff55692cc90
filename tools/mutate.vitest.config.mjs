import { defineConfig } from 'vitest/config'

// The tests in Node alone: in a browser nobody switches a mutant on. `npm test` has its own, vitest.config.ts.
/**
 * The tests that are near what is mutated, all of them where nothing is said, and how long one of them may take.
 * @type {{ tests: string[], slow: string[], testTimeoutMs: number }}
 */
const { tests, slow, testTimeoutMs } = JSON.parse(
  process.env.MUTATE_TESTS ?? '{ "tests": [], "slow": [], "testTimeoutMs": 60000 }',
)
const all = ['packages/**/*.test.{ts,tsx}', 'apps/**/*.test.ts', 'conformance/**/*.test.ts']

const conditions = ['@latchkey/source', 'node', 'module']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    environment: 'node',
    // A mutant is tried in one worker, in which each module is loaded once.
    isolate: false,
    testTimeout: testTimeoutMs,
    hookTimeout: 120_000,
    include: tests.length > 0 ? tests : all,
    exclude: ['**/*.browser.test.*', '**/node_modules/**', '**/dist/**', ...slow],
  },
})
