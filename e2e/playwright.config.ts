import { defineConfig } from '@playwright/test'

/** Debian's Chromium with everything off that talks to somebody else. */
const args = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Nothing leaves the machine: no name but those of the local world is one.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1',
]

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../test-results/e2e',
  globalSetup: './support/globalSetup.mjs',
  fullyParallel: false,
  // Each with a world of its own: one alone leaves the cores idle while it waits for a chain, a frame or a fade.
  workers: 2,
  forbidOnly: true,
  // Two browsers, two worlds and their chains share two cores. What fails once and then passes is named in the summary of `npm test`: it
  // is a fault of the test or of the product, and is to be mended.
  retries: process.env.CI ? 1 : 0,
  timeout: 60_000,
  // Two workers share two cores: what takes a second alone may take several.
  expect: { timeout: 15_000 },
  reporter: process.env.CI ? [['list']] : [['line']],
  use: {
    browserName: 'chromium',
    headless: true,
    viewport: { width: 1280, height: 900 },
    actionTimeout: 15_000,
    // A trace of each test takes more than half as much again as the tests: `--trace retain-on-failure` is for the one that fails. What
    // stood on the page when it did is kept in any case.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args },
  },
})
