import { defineConfig } from '@playwright/test'

/** Disables Chromium's own network requests. */
const args = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Only the hosts of the local environment resolve.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1',
]

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../test-results/e2e',
  globalSetup: './support/globalSetup.mjs',
  fullyParallel: false,
  // Each worker has its own environment. A single worker would leave the cores idle while it waits.
  workers: 2,
  forbidOnly: true,
  // Two browsers and two environments share two cores in CI. The summary of `npm test` lists flaky tests, which must be fixed.
  retries: process.env.CI ? 1 : 0,
  timeout: 60_000,
  // Two workers share two cores, so steps can take several times longer than alone.
  expect: { timeout: 15_000 },
  reporter: process.env.CI ? [['list']] : [['line']],
  use: {
    browserName: 'chromium',
    headless: true,
    viewport: { width: 1280, height: 900 },
    actionTimeout: 15_000,
    // Traces make the tests more than 50% slower. To debug a failing test, use `--trace retain-on-failure`.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args },
  },
})
