import type { ConnectorContext, SignInOnLogin } from '@latchkey/core/adapter'
import type { GetUser } from '@latchkey/protocol/frame/messages'
import { accountPlaceholder } from '@latchkey/protocol/specificationConstants'
import { testAccounts } from '@latchkey/testing'
import { expect, test } from 'vitest'
import { type Harness, harness } from './testing/harness.ts'

const [{ address }] = testAccounts
const never = new AbortController().signal
const signature = `0x${'12'.repeat(65)}`
const textFor = (account: string) => `shop.example wants ${account} in.\nDo you, ${accountPlaceholder}?`

/** Creates a page that requires a sign-in and records the signatures that it stores. */
function shop(): {
  readonly stored: Parameters<SignInOnLogin['keep']>[0][]
  readonly chains: string[]
  signInOnLogin: ConnectorContext['signInOnLogin']
} {
  const stored: Parameters<SignInOnLogin['keep']>[0][] = []
  const chains: string[] = []
  return {
    stored,
    chains,
    async signInOnLogin(chainId) {
      chains.push(chainId)
      return {
        fields: {
          domain: 'shop.example',
          uri: 'https://shop.example',
          version: '1',
          nonce: 'n0nce123',
          chainId,
          accountAddress: accountPlaceholder,
          resources: ['https://shop.example/terms'],
        },
        message: textFor(accountPlaceholder),
        keep: async (signed) => void stored.push(signed),
      }
    },
  }
}

const user = { address, chainId: 1, email: 'ada@example.org' }
const signs = (message: string) => ({ ...user, message, signature })
const wantedIn = (page: Harness, name: string) =>
  page.frame.requests.filter((request) => request.name === name).map(({ payload }) => (payload as GetUser).siwxMessage)

/** Advances the clock so that the frame can load and respond, then waits for `promise`. */
async function soon<T>(page: Harness, promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  // Wait for the wallet, which is loaded lazily.
  await page.bridge.wallet?.()
  await page.pass(500)
  await page.pass(0)
  return promise
}

test('a login sends the message to sign and stores the signature before it completes', async () => {
  const site = shop()
  const page = harness({
    frame: { user: 'ada@example.org', script: { GET_USER: () => signs(textFor(address)) } },
    signInOnLogin: site.signInOnLogin,
  })
  await soon(page, page.evm.connect({ signal: never }))
  expect(wantedIn(page, 'GET_USER')).toEqual([
    {
      domain: 'shop.example',
      uri: 'https://shop.example',
      version: '1',
      nonce: 'n0nce123',
      chainId: 'eip155:1',
      accountAddress: '<<AccountAddress>>',
      resources: ['https://shop.example/terms'],
      serializedMessage: textFor('<<AccountAddress>>'),
    },
  ])
  expect(site.stored).toEqual([{ address, message: textFor(address), signature }])
})

test.each([
  ['does not return a sign-in', user],
  ['signs a different message', signs(`${textFor(address)} And all your tokens.`)],
  ['signs for a different account', signs(textFor(testAccounts[1].address))],
  ['does not fill in the account', signs(textFor(accountPlaceholder))],
  ['inserts the account twice', signs(textFor(address).replaceAll(accountPlaceholder, address))],
  ['sends no signature', { ...user, message: textFor(address) }],
])('if the frame %s, the user is logged in without a sign-in', async (_, answer) => {
  const site = shop()
  const page = harness({ frame: { script: { GET_USER: () => answer } }, signInOnLogin: site.signInOnLogin })
  const session = await soon(page, page.evm.connect({ signal: never }))
  expect(session.accounts).toEqual([`eip155:1:${address}`])
  expect(site.stored).toEqual([])
})

test.each<[string, ConnectorContext['signInOnLogin']]>([
  ['cannot create the message', () => Promise.reject(new Error('The server is down.'))],
  [
    'rejects the signature',
    async (chain) => {
      const requested = await shop().signInOnLogin(chain)
      return requested && { ...requested, keep: () => Promise.reject(new Error('No.')) }
    },
  ],
])('if the page %s, the user is still logged in', async (_, signInOnLogin) => {
  const page = harness({ frame: { script: { GET_USER: () => signs(textFor(address)) } }, signInOnLogin })
  const session = await soon(page, page.evm.connect({ signal: never }))
  expect(session.accounts).toEqual([`eip155:1:${address}`])
})

test('no sign-in is requested when restoring a login, switching networks or logging in on Solana', async () => {
  const site = shop()
  const page = harness({ used: true, frame: { user: 'ada@example.org' }, signInOnLogin: site.signInOnLogin })
  const session = await soon(page, page.evm.connect({ silent: true, signal: never }))
  const moving = session.can.switchChain?.({
    id: 137,
    name: 'Polygon',
    nativeCurrency: { name: 'P', symbol: 'P', decimals: 18 },
    rpcUrls: {},
    chainNamespace: 'eip155',
    caipNetworkId: 'eip155:137',
  })
  await page.pass(0)
  await moving
  const chain = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
  page.frame.script({ GET_USER: () => ({ address: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU', chainId: chain }) })
  await soon(page, page.solana.connect({ signal: never }))
  expect(wantedIn(page, 'GET_USER')).toEqual([undefined, undefined, undefined])
  expect(site.chains).toEqual([])
})

/** Completes a social login, as after returning from its popup. */
async function backFrom(page: Harness): Promise<void> {
  const wallet = await page.bridge.wallet?.()
  if (!wallet) throw new Error('The bridge has no wallet client.')
  await soon(page, wallet.connectSocial('https://login.example/?code=1'))
}

test('a third-party frame receives the sign-in message with the social login, and connecting stores the signature', async () => {
  const site = shop()
  const page = harness({
    frame: { script: { CONNECT_SOCIAL: () => ({ ...signs(textFor(address.toLowerCase())), userName: 'ada' }) } },
    signInOnLogin: site.signInOnLogin,
  })
  await backFrom(page)
  expect(wantedIn(page, 'CONNECT_SOCIAL')).toMatchObject([{ nonce: 'n0nce123' }])
  expect(site.stored).toEqual([])
  await page.evm.connect({ signal: never })
  expect(site.stored).toHaveLength(1)
  expect(site.chains).toEqual(['eip155:1'])
  expect(wantedIn(page, 'GET_USER')).toEqual([])
})

test('our frame receives the sign-in message after the social login, in the request that shows the frame', async () => {
  const site = shop()
  const page = harness({
    frame: { port: true, script: { GET_USER: () => signs(textFor(address)) } },
    signInOnLogin: site.signInOnLogin,
  })
  await backFrom(page)
  await soon(page, page.evm.connect({ signal: never }))
  expect(wantedIn(page, 'CONNECT_SOCIAL')).toEqual([undefined])
  expect(wantedIn(page, 'GET_USER')).toMatchObject([{ nonce: 'n0nce123' }])
  expect(site.stored).toHaveLength(1)
})

/** Starts a login with our frame and waits until the frame is shown to prompt the user. */
async function asking(signal: AbortSignal = never) {
  const site = shop()
  let answer: (payload: typeof user) => void = () => undefined
  const page = harness({ frame: { port: true }, signInOnLogin: site.signInOnLogin })
  page.frame.script({ GET_USER: () => new Promise<typeof user>((resolve) => (answer = resolve)) })
  const connecting = page.evm.connect({ signal })
  connecting.catch(() => undefined)
  await page.pass(500)
  await page.pass(0)
  expect(page.place).toEqual([])
  await page.pass(600)
  expect(page.place).toEqual(['shown'])
  // The user can take a long time.
  await page.pass(120_000)
  return { site, page, connecting, answer: (payload: typeof user) => answer(payload) }
}

test('our frame is shown quickly, waits for the user without a timeout, and is hidden afterwards', async () => {
  const { site, page, connecting, answer } = await asking()
  answer(signs(textFor(address)))
  await page.pass(0)
  expect((await connecting).accounts).toEqual([`eip155:1:${address}`])
  expect(page.place).toEqual(['shown', 'hidden'])
  expect(site.stored).toHaveLength(1)
})

test('if the user closes the frame, the login completes without a sign-in', async () => {
  const { site, page, connecting, answer } = await asking()
  page.dismiss()
  await page.pass(0)
  expect(page.place).toEqual(['shown', 'hidden'])
  expect(page.frame.requests.at(-1)).toMatchObject({ name: 'RPC_ABORT' })
  answer(user)
  await page.pass(0)
  expect((await connecting).accounts).toEqual([`eip155:1:${address}`])
  expect(site.stored).toEqual([])
})

test('a login fails if the frame does not confirm the abort within three seconds', async () => {
  const { page, connecting } = await asking()
  page.dismiss()
  await page.pass(3_000)
  await expect(connecting).rejects.toMatchObject({ code: 'frame/aborted' })
})

test('cancelling a login aborts its own request', async () => {
  const left = new AbortController()
  const { page, connecting } = await asking(left.signal)
  const id = page.frame.requests.find(({ name }) => name === 'GET_USER')?.id
  left.abort()
  await expect(connecting).rejects.toMatchObject({ code: 'frame/aborted' })
  await page.pass(0)
  expect(page.frame.requests.at(-1)).toMatchObject({ name: 'RPC_ABORT', payload: { id } })
  expect(page.place).toEqual(['shown', 'hidden'])
})
