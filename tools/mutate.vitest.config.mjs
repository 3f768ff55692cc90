import { defineConfig } from 'vitest/config'

// The tests in Node alone: in a browser nobody switches a mutant on. `npm test` has its own, vitest.config.ts.
const conditions = ['@latchkey/source', 'node', 'module']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    environment: 'node',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    include: ['packages/**/*.test.{ts,tsx}', 'apps/**/*.test.ts', 'conformance/**/*.test.ts'],
    exclude: ['**/*.browser.test.*', '**/node_modules/**', '**/dist/**'],
  },
})
