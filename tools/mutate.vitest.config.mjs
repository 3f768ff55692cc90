import { defineConfig } from 'vitest/config'

// The Node tests only: mutants cannot be activated in a browser. `npm test` uses vitest.config.ts instead.
/**
 * The tests near the mutated code (all tests if not set), and the timeout of a test.
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
    // A mutant is tested in a single worker that loads each module once.
    isolate: false,
    testTimeout: testTimeoutMs,
    hookTimeout: 120_000,
    include: tests.length > 0 ? tests : all,
    exclude: ['**/*.browser.test.*', '**/node_modules/**', '**/dist/**', ...slow],
  },
})
