import { defineConfig } from '@playwright/test'
import { chromiumArgs } from '../tools/chromiumArgs.mjs'

/** Launch arguments with which Chromium only resolves the local environment's hosts. */
const args = [
  ...chromiumArgs,
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1',
]

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../test-results/e2e',
  globalSetup: './support/globalSetup.mjs',
  fullyParallel: false,
  // Each worker has its own environment. The slowest tests spend about half of their time waiting, for example for a button that is
  // enabled after a delay, so two workers per core keep two cores busy. The cores of CI are slower, and with four workers the frame
  // sometimes takes longer to start than a page waits for it.
  workers: process.env.CI ? 3 : 4,
  forbidOnly: true,
  // In CI, failed tests are retried once, because several browsers and environments share two cores. The summary of `npm test`
  // lists flaky tests, which must be fixed.
  retries: process.env.CI ? 1 : 0,
  timeout: 60_000,
  // Steps can take several times longer than on an idle machine, because the workers share two cores.
  expect: { timeout: 15_000 },
  reporter: process.env.CI ? [['list']] : [['line']],
  use: {
    browserName: 'chromium',
    headless: true,
    viewport: { width: 1280, height: 900 },
    actionTimeout: 15_000,
    // Traces slow the tests down by more than 50%. To debug a failing test, use `--trace retain-on-failure`.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM_HEADLESS_SHELL ?? process.env.CHROMIUM ?? '/usr/bin/chromium',
      args,
    },
  },
})
