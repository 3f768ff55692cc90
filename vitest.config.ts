import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'
import { chromiumArgs } from './tools/chromiumArgs.mjs'

const conditions = ['@latchkey/source', 'module', 'browser', 'development|production', 'import', 'default']
const executablePath = process.env.CHROMIUM_HEADLESS_SHELL ?? process.env.CHROMIUM ?? '/usr/bin/chromium'

/** The files that take longest although they are small. */
const longest = [
  'tools/fuzz.test.ts',
  'server/src/rollingRestart.test.ts',
  'server/src/commands/serverCommand.test.ts',
  'tools/commonChanges.test.ts',
]

/**
 * Runs the slowest files first, so that the other workers do not have to wait for one of them at the end. By default, Vitest
 * sorts files by their previous durations, but a fresh clone has none, and Vitest then starts with the largest files.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer['sort']>[0]): ReturnType<BaseSequencer['sort']> {
    const isLong = ({ moduleId }: { moduleId: string }): boolean => longest.some((path) => moduleId.endsWith(path))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        resolve: { conditions: ['@latchkey/source', 'node', 'module'] },
        ssr: { resolve: { conditions: ['@latchkey/source', 'node', 'module'] } },
        test: {
          name: 'node',
          environment: 'node',
          // Saves about half of the CPU time, which would be spent on starting a process for each file. See `isolateTestFile.ts`.
          isolate: false,
          setupFiles: ['tools/isolateTestFile.ts'],
          globalSetup: ['tools/vitestDatabaseSetup.mjs', 'tools/temporaryFolder.mjs'],
          // High enough for a busy machine; only tests that hang reach it.
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
        // Optimize all dependencies before the first test. If Vite discovers one later, it reloads the page, which then contains
        // two copies of React.
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
          // Two pages, each in its own context, because many tests wait for an animation or a timer.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          include: ['{packages,apps}/**/*.browser.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', '**/dist/**'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { executablePath, args: chromiumArgs },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
})
