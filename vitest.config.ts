import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'

const conditions = ['@latchkey/source', 'module', 'browser', 'development|production', 'import', 'default']
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'

export default defineConfig({
  test: {
    projects: [
      {
        resolve: { conditions: ['@latchkey/source', 'node', 'module'] },
        ssr: { resolve: { conditions: ['@latchkey/source', 'node', 'module'] } },
        test: {
          name: 'node',
          environment: 'node',
          // A busy machine is no failure: what waits for ever still ends.
          testTimeout: 60_000,
          hookTimeout: 120_000,
          include: [
            'packages/**/*.test.{ts,tsx}',
            'apps/**/*.test.ts',
            'conformance/**/*.test.ts',
            'tools/**/*.test.{ts,mjs}',
          ],
          exclude: ['**/*.browser.test.*', '**/node_modules/**', '**/dist/**'],
        },
      },
      {
        plugins: [react()],
        resolve: { conditions },
        // All of them before the first test: one found later reloads the page, and then there are two Reacts in it.
        optimizeDeps: {
          entries: ['{packages,apps}/**/*.browser.test.{ts,tsx}'],
          include: [
            'react',
            'react/jsx-runtime',
            'react/jsx-dev-runtime',
            'react-dom',
            'react-dom/client',
            'react-dom/server',
            'vitest-browser-react',
          ],
        },
        test: {
          name: 'browser',
          include: ['{packages,apps}/**/*.browser.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', '**/dist/**'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: {
                executablePath,
                args: [
                  '--no-sandbox',
                  '--disable-quic',
                  '--no-first-run',
                  '--disable-background-networking',
                  '--disable-component-update',
                  '--disable-sync',
                ],
              },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
})
