import { defineConfig } from 'vitest/config'

// The tests in Node alone: in a browser nobody switches a mutant on. `npm test` has its own, vitest.config.ts.
/** The tests that are near what is mutated; all of them where nothing is said. @type {string[]} */
const near = JSON.parse(process.env.MUTATE_TESTS ?? '[]')
const all = ['packages/**/*.test.{ts,tsx}', 'apps/**/*.test.ts', 'conformance/**/*.test.ts']

const conditions = ['@latchkey/source', 'node', 'module']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    environment: 'node',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    include: near.length > 0 ? near : all,
    exclude: ['**/*.browser.test.*', '**/node_modules/**', '**/dist/**'],
  },
})
