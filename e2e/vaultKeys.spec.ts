import { join } from 'node:path'
import { type CDPSession, expect, type Page, test } from '@playwright/test'
import { build, defaultClientConditions } from 'vite'
import type { KeysPage } from './pages/vaultKeys.ts'

// Tests the vault's keys on the keys origin with the browser's WebAuthn implementation and a virtual authenticator.

declare global {
  interface Window {
    readonly keys: KeysPage
  }
}

let script: string

test.beforeAll(async () => {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    root: import.meta.dirname,
    resolve: { conditions: ['@latchkey/source', ...defaultClientConditions] },
    build: {
      write: false,
      target: 'es2023',
      rollupOptions: { input: join(import.meta.dirname, 'pages/vaultKeys.ts'), output: { format: 'iife' } },
    },
  })
  const { output } = built as { output: { code: string }[] }
  script = output[0]!.code
})

async function keysPage(page: Page): Promise<{ devtools: CDPSession; authenticator: string }> {
  await page.route('http://keys.demo.localhost/**', (route) =>
    route.request().url().endsWith('.js')
      ? route.fulfill({ contentType: 'text/javascript', body: script })
      : route.fulfill({ contentType: 'text/html', body: '<!doctype html><script src="/keys.js"></script>' }),
  )
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      hasPrf: true,
    },
  })
  await page.goto('http://keys.demo.localhost/')
  return { devtools, authenticator: authenticatorId }
}

test('a passkey creates and opens a vault, is bound to the exact keys host, and sends the server no secret', async ({
  page,
}) => {
  const { devtools, authenticator } = await keysPage(page)
  const { address, sent } = await page.evaluate(() => window.keys.make())
  expect(address).toMatch(/^0x[0-9a-fA-F]{40}$/)
  expect(await page.evaluate(() => window.keys.openWithPasskey())).toBe(address)
  expect(sent).not.toContain('"prf"')
  const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId: authenticator })
  // The server requested the parent domain, which would allow any page on that domain to derive the same secret.
  expect(credentials.map(({ rpId }) => rpId)).toEqual(['keys.demo.localhost'])
})

test('the recovery kit opens the same vault if the passkey is deleted', async ({ page }) => {
  const { devtools, authenticator } = await keysPage(page)
  const { address } = await page.evaluate(() => window.keys.make())
  const code = await page.evaluate(() => window.keys.addKit())
  await devtools.send('WebAuthn.clearCredentials', { authenticatorId: authenticator })
  await expect(page.evaluate(() => window.keys.openWithPasskey())).rejects.toThrow(/NotAllowedError/)
  expect(await page.evaluate((typed) => window.keys.openWithKit(typed), code)).toBe(address)
})

test('a different passkey for the same account cannot open the vault', async ({ page }) => {
  const { devtools, authenticator } = await keysPage(page)
  await page.evaluate(() => window.keys.make())
  await devtools.send('WebAuthn.clearCredentials', { authenticatorId: authenticator })
  await page.evaluate(() =>
    navigator.credentials.create({
      publicKey: {
        challenge: new Uint8Array(16),
        rp: { name: 'Keys', id: 'keys.demo.localhost' },
        user: { id: new Uint8Array([1, 2, 3]), name: 'ada@example.org', displayName: 'Ada' },
        pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      },
    }),
  )
  await expect(page.evaluate(() => window.keys.openWithPasskey())).rejects.toThrow(/NotAllowedError/)
})
