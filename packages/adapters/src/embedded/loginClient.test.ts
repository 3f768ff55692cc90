import { testAccounts } from '@latchkey/testing'
import { expect, test } from 'vitest'
import { createEmbeddedAccounts } from './embeddedAccounts.ts'
import { createEmbeddedFrame } from './embeddedFrame.ts'
import { createLoginClient } from './loginClient.ts'
import { type Harness, harness } from './testing/harness.ts'

const [{ address }] = testAccounts

async function client(
  capabilities: readonly string[],
  script: NonNullable<Parameters<typeof harness>[0]>['frame'] = {},
) {
  const page: Harness = harness({ frame: { ready: false, ...script } })
  const { host, options } = page
  const accounts = createEmbeddedAccounts()
  const frame = createEmbeddedFrame({ options, host, rpcUrl: () => undefined })
  const wallet = createLoginClient({
    frame,
    setup: { done: async () => undefined, stop() {} },
    host,
    origin: 'https://keys.example',
    connectSocial: async () => undefined,
    hasSingleKey: async () => false,
    accounts,
    getAccount: async (_, chain) => ({ address, chain, type: 'smartAccount' }),
  })
  frame.mount()
  page.frame.ready({ capabilities })
  await page.pass(0)
  return { ...page, wallet, accounts }
}

test('email logins use the login window if the frame has one, and send CONNECT_EMAIL otherwise', async () => {
  const inWindow = await client(['window'], { script: { CONNECT_WINDOW: () => undefined } })
  const response = inWindow.wallet.request('CONNECT_EMAIL', { email: 'ada@example.org' })
  await inWindow.pass(0)
  expect([await response, inWindow.frame.requests[0]?.name]).toEqual([{ action: 'CONNECT' }, 'CONNECT_WINDOW'])
  const plain = await client([])
  const pending = plain.wallet.request('CONNECT_EMAIL', { email: 'ada@example.org' })
  await plain.pass(0)
  expect([await pending, plain.frame.requests[0]?.name]).toEqual([{ action: 'VERIFY_OTP' }, 'CONNECT_EMAIL'])
})

test('connectPasskey() rejects if the frame does not support passkeys', async () => {
  const { wallet } = await client([])
  await expect(wallet.connectPasskey()).rejects.toMatchObject({ code: 'frame/no-passkeys' })
  const { wallet: able, pass, frame } = await client(['passkey'], { script: { CONNECT_PASSKEY: () => undefined } })
  const connecting = able.connectPasskey()
  await pass(0)
  await connecting
  expect(frame.requests[0]?.name).toBe('CONNECT_PASSKEY')
})

test('the window login and the wallet page are available only if the frame announces them', async () => {
  const { wallet } = await client(['window', 'wallet'])
  expect([typeof wallet.connectInWindow, wallet.walletPage]).toEqual(['function', 'https://keys.example/wallet'])
  const { wallet: plain } = await client([])
  expect([plain.connectInWindow, plain.walletPage]).toEqual([undefined, undefined])
})

test('connectInWindow() rejects with request/aborted if the user closes the login window', async () => {
  const { wallet, pass } = await client(['window'], {
    script: { CONNECT_WINDOW: () => Promise.reject(new Error('User rejected the request.')) },
  })
  const connecting = wallet.connectInWindow?.('google', { signal: new AbortController().signal })
  connecting?.catch(() => undefined)
  await pass(0)
  await expect(connecting).rejects.toMatchObject({ code: 'request/aborted' })
})

test('setAccountType() stores eoa if the frame rejects the type, and the requested type if the frame accepts it', async () => {
  const { wallet, accounts, records, frame, pass } = await client([], {
    script: { SET_PREFERRED_ACCOUNT: () => Promise.reject(new Error('No.')) },
  })
  const rejected = wallet.setAccountType('eip155', 'smartAccount')
  await pass(0)
  expect([await rejected, records.accountTypes.get()]).toEqual(['eoa', { eip155: 'eoa' }])
  frame.script({ SET_PREFERRED_ACCOUNT: () => ({ type: 'smartAccount', address }) })
  accounts.set('eip155', { address, chain: 'eip155:1', type: 'eoa' })
  const accepted = wallet.setAccountType('eip155', 'smartAccount')
  await pass(0)
  expect([await accepted, records.accountTypes.get()]).toEqual(['smartAccount', { eip155: 'smartAccount' }])
})
