import type { Namespace } from '@latchkey/protocol/caip'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { expect, test } from 'vitest'
import type { AuthenticateRequest, PairingProvider, PairingResult, PairingUri, Session } from '../adapter.ts'
import type { State } from '../latchkeyTypes.ts'
import { createStore } from '../lib/store.ts'
import type { AuthenticationAdapter, SignInSession } from '../signIn/signInTypes.ts'
import { createRecords } from '../storage/storageSchema.ts'
import { fakeClock, fakeNetwork, memoryStorage } from '../testing/index.ts'
import { createPairing, type PairingDependencies } from './createPairing.ts'

const pocket: Wallet = { id: 'pocket', name: 'Pocket', mobile_link: 'pocket://', link_mode: 'https://pocket.example' }

interface Try {
  readonly signIn: AuthenticateRequest | undefined
  offered(offer: PairingUri): void
  settle(paired?: Partial<PairingResult>): void
  fail(error: unknown): void
  readonly aborted: boolean
}

/** Creates a pairing with a fake provider whose responses the test controls. */
function createHarness(more: Partial<PairingDependencies> = {}) {
  const clock = fakeClock()
  const tries: Try[] = []
  const calls: string[] = []
  const opened: string[] = []
  let focused = true
  const provider: PairingProvider = {
    pair: ({ signal, onUri: offered, signIn }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new LatchkeyError('request/aborted')))
        const settle = (paired: Partial<PairingResult> = {}): void =>
          resolve({
            namespaces: ['eip155'],
            wallet: { name: 'Pocket Wallet', url: 'https://pocket.example' },
            signed: [],
            async disconnect() {
              calls.push('ended')
            },
            ...paired,
          })
        tries.push({
          signIn,
          offered,
          settle,
          fail: reject,
          get aborted() {
            return signal.aborted
          },
        })
      }),
  }
  const state = createStore({
    modal: { open: true },
    networks: { namespace: 'eip155', active: 'eip155:1', known: [] },
  } as unknown as State)
  const records = createRecords({
    storage: () => memory,
    log: { debug() {}, info() {}, warn() {}, error() {}, entries: () => [] } as never,
  })
  const memory = memoryStorage()
  const page = {
    document: { hasFocus: () => focused },
    navigator: { userAgent: 'Mozilla/5.0 (Linux; Android 15) Mobile', maxTouchPoints: 5 },
    location: { hash: '', href: 'https://shop.example/', origin: 'https://shop.example' },
    open: (url: string, target: string, how: string) => void opened.push(`${target} ${url} ${how}`),
  } as unknown as Window
  Object.assign(page, { parent: page })
  const warnings: unknown[] = []
  const pairing = createPairing({
    pairing: async () => provider,
    records,
    clock,
    log: {
      debug() {},
      info() {},
      warn: (text: unknown) => void warnings.push(text),
      error() {},
      entries: () => [],
    } as never,
    state,
    manual: false,
    universalLinks: true,
    mobile: () => true,
    async connect({ namespace, secondary, by }) {
      calls.push(`connect ${namespace}${secondary ? ' secondary' : ''} ${by.method} ${by.name}`)
      return { namespace } as unknown as Session
    },
    used: ({ id }) => void calls.push(`used ${id}`),
    track: (event) => void calls.push(event.event),
    toast: (kind, text) => void calls.push(`${kind}: ${text}`),
    hideToast: () => void calls.push('toast hidden'),
    page,
    ...more,
  })
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
  return {
    pairing,
    clock,
    tries,
    calls,
    opened,
    warnings,
    records,
    turn,
    close: () => state.set({ ...state.get(), modal: { ...state.get().modal, open: false } }),
    blur: () => {
      focused = false
    },
    /** Waits until the provider has been called, and resolves to the latest attempt. */
    async last(): Promise<Try> {
      await turn()
      const found = tries.at(-1)
      if (!found) throw new Error('No pairing was requested')
      return found
    },
    async offer(expiresAt = clock.now() + 240_000): Promise<Try> {
      const found = await this.last()
      found.offered({ uri: `wc:${tries.length}@2`, expiresAt })
      return found
    },
  }
}

test('no code is requested until a view opens, and a view that opens later shows the same code [R9.3]', async () => {
  const { pairing, tries, turn, ...harness } = createHarness()
  await turn()
  expect(tries).toHaveLength(0)
  const away = pairing.look({ by: 'qrcode' })
  await harness.offer()
  expect(pairing.state.get()).toMatchObject({ status: 'offered', offer: { uri: 'wc:1@2' } })
  away()
  pairing.look({ wallet: pocket, by: 'qrcode' })
  await turn()
  expect(tries).toHaveLength(1)
})

test('a code is replaced ten seconds before it expires, and the old code still works [R5.8] [R9.14]', async () => {
  const harness = createHarness()
  harness.pairing.look({ by: 'qrcode' })
  const first = await harness.offer()
  await harness.clock.pass(229_999)
  await harness.turn()
  expect(harness.tries).toHaveLength(1)
  await harness.clock.pass(1)
  const second = await harness.offer()
  expect(second).not.toBe(first)
  expect(harness.pairing.state.get().offer?.uri).toBe('wc:2@2')
  first.settle()
  await harness.turn()
  expect(harness.calls).toEqual(['connect eip155 qrcode Pocket Wallet'])
  expect(second.aborted).toBe(true)
  // The view shows no code while the connection is being completed.
  expect(harness.pairing.state.get()).toMatchObject({ status: 'entering', offer: undefined })
  harness.close()
  expect(harness.pairing.state.get()).toMatchObject({ status: 'idle', offer: undefined })
})

test('reopening the view after the code has expired shows a new code [R5.8] [R9.14]', async () => {
  const harness = createHarness()
  const away = harness.pairing.look({ by: 'qrcode' })
  await harness.offer()
  away()
  await harness.clock.pass(230_000)
  await harness.turn()
  expect(harness.tries).toHaveLength(1)
  harness.pairing.look({ by: 'qrcode' })
  await harness.offer()
  expect(harness.pairing.state.get()).toMatchObject({ status: 'offered', offer: { uri: 'wc:2@2' } })
})

test.each([
  [10_000, 2],
  [10_001, 1],
])(
  'when the view reopens or the host connects while the code has %i ms left, there are %i attempts in total [R5.8]',
  async (left, attempts) => {
    for (const who of ['view', 'host'] as const) {
      const harness = createHarness()
      const away = harness.pairing.look({ by: 'qrcode' })
      // The timer does not run here, as on a computer that was asleep.
      await harness.offer(harness.clock.now() + left)
      away()
      if (who === 'view') harness.pairing.look({ by: 'qrcode' })
      else harness.pairing.connect({ namespace: 'eip155' }).catch(() => {})
      await harness.turn()
      expect([who, harness.tries.length]).toEqual([who, attempts])
    }
  },
)

test('a code that arrives with less than ten seconds left is replaced immediately [R5.8]', async () => {
  const harness = createHarness()
  harness.pairing.look({ by: 'qrcode' })
  await harness.offer(harness.clock.now() + 9_000)
  await harness.clock.pass(0)
  await harness.turn()
  expect(harness.tries).toHaveLength(2)
})

test('an idle view shows ten codes in turn, and then offers a retry [R9.3]', async () => {
  const harness = createHarness()
  harness.pairing.look({ by: 'qrcode' })
  for (let round = 1; round <= 10; round++) {
    await harness.offer()
    await harness.clock.pass(230_000)
    await harness.turn()
  }
  expect(harness.tries).toHaveLength(10)
  expect(harness.pairing.state.get()).toMatchObject({ status: 'failed', error: { code: 'pairing/expired' } })
  harness.pairing.renew()
  await harness.offer()
  expect(harness.tries).toHaveLength(11)
})

test('a retry waits until a second has passed since the last attempt [R5.8] [R9.3] [R9.14]', async () => {
  const harness = createHarness()
  harness.pairing.look({ by: 'qrcode' })
  ;(await harness.last()).fail(failure('relay/unreachable', { address: 'wss://relay.example' }))
  await harness.turn()
  expect(harness.pairing.state.get()).toMatchObject({ status: 'failed', error: { code: 'relay/unreachable' } })
  await harness.clock.pass(999)
  harness.pairing.renew()
  harness.pairing.renew()
  await harness.turn()
  expect([harness.tries.length, harness.pairing.state.get().status]).toEqual([1, 'preparing'])
  await harness.clock.pass(1)
  await harness.turn()
  expect(harness.tries).toHaveLength(2)
  // Renewing a code within a second of its creation keeps the code.
  await harness.offer()
  await harness.clock.pass(999)
  harness.pairing.renew()
  await harness.turn()
  expect(harness.tries).toHaveLength(2)
  await harness.clock.pass(1)
  harness.pairing.renew()
  await harness.turn()
  expect(harness.tries).toHaveLength(3)
})

test('a retry starts immediately if a second has passed since the failed attempt [R5.8]', async () => {
  const harness = createHarness()
  harness.pairing.look({ by: 'qrcode' })
  ;(await harness.last()).fail(failure('relay/unreachable', { address: 'wss://relay.example' }))
  await harness.turn()
  await harness.clock.pass(1_000)
  harness.pairing.renew()
  await harness.turn()
  expect(harness.tries).toHaveLength(2)
})

test('a code can be renewed after one second, and two retries within a second start only one attempt [R9.3] [R9.14]', async () => {
  const harness = createHarness()
  harness.pairing.look({ by: 'qrcode' })
  await harness.offer()
  await harness.clock.pass(999)
  harness.pairing.renew()
  await harness.turn()
  expect([harness.tries.length, harness.pairing.state.get().status]).toEqual([1, 'offered'])
  await harness.clock.pass(1)
  harness.pairing.renew()
  ;(await harness.last()).fail(failure('relay/unreachable', { address: 'wss://relay.example' }))
  await harness.turn()
  expect([harness.tries.length, harness.pairing.state.get().status]).toEqual([2, 'failed'])
  harness.pairing.renew()
  harness.pairing.renew()
  await harness.clock.pass(999)
  await harness.turn()
  expect([harness.tries.length, harness.pairing.state.get().status]).toEqual([2, 'preparing'])
  await harness.clock.pass(1)
  await harness.turn()
  expect(harness.tries).toHaveLength(3)
  // A pending attempt is not repeated, however long it takes.
  await harness.clock.pass(5_000)
  harness.pairing.renew()
  await harness.turn()
  expect(harness.tries).toHaveLength(3)
})

test('a connection started by the host reuses the code if it has more than ten seconds left, and otherwise requests a new one [R9.14]', async () => {
  const harness = createHarness()
  harness.pairing.look({ by: 'qrcode' })()
  await harness.offer()
  await harness.clock.pass(229_999)
  const first = harness.pairing.connect({ namespace: 'eip155' })
  await harness.turn()
  expect(harness.tries).toHaveLength(1)
  ;(await harness.last()).settle()
  await first

  const late = createHarness()
  late.pairing.look({ by: 'qrcode' })()
  await late.offer()
  await late.clock.pass(230_000)
  const second = late.pairing.connect({ namespace: 'eip155' })
  await late.turn()
  expect(late.tries).toHaveLength(2)
  ;(await late.last()).settle()
  await second
})

test('mobile apps, desktop apps and web wallets are opened by different links [R1.1]', async () => {
  const harness = createHarness({ universalLinks: false })
  const wallet: Wallet = {
    id: 'all',
    name: 'All',
    mobile_link: 'all://',
    link_mode: 'https://all.example/app',
    desktop_link: 'all-desktop://',
    webapp_link: 'https://all.example/web',
  }
  harness.pairing.look({ wallet, by: 'mobile' })
  await harness.offer()
  const uri = 'wc?uri=wc%3A1%402'
  expect(harness.pairing.link(wallet, 'mobile')).toEqual({ url: `all://${uri}`, target: '_self' })
  expect(harness.pairing.link(wallet, 'desktop')).toEqual({ url: `all-desktop://${uri}`, target: '_blank' })
  expect(harness.pairing.link(wallet, 'web')).toEqual({ url: `https://all.example/web/${uri}`, target: '_blank' })
  const universal: Wallet = { id: 'all', name: 'All', link_mode: 'https://all.example/app' }
  expect(harness.pairing.link(universal, 'mobile')).toEqual({ url: `https://all.example/app/${uri}`, target: '_self' })
  expect(harness.pairing.link(universal, 'desktop')).toBeUndefined()
  expect(harness.pairing.link(universal, 'web')).toBeUndefined()
})

test('a rejection by the wallet is reported as a rejection, and sent to analytics as a connection error [R1.1]', async () => {
  const harness = createHarness()
  harness.pairing.look({ wallet: pocket, by: 'qrcode' })
  ;(await harness.offer()).fail(new LatchkeyError('user/rejected', { request: 'connect' }))
  await harness.turn()
  expect(harness.pairing.state.get()).toMatchObject({
    status: 'failed',
    offer: undefined,
    error: { code: 'user/rejected' },
  })
  expect(harness.calls).toEqual(['CONNECT_ERROR'])
})

test('closing the modal cancels the pairing and removes its secret', async () => {
  const harness = createHarness()
  harness.pairing.look({ by: 'qrcode' })
  const offer = await harness.offer()
  harness.close()
  expect(offer.aborted).toBe(true)
  expect(harness.pairing.state.get()).toEqual({ status: 'idle', offer: undefined, error: undefined })
})

test('one pairing connects every family that the wallet supports, starting with the active family [R1.1] [R4.13]', async () => {
  const harness = createHarness()
  harness.pairing.look({ wallet: pocket, by: 'qrcode' })
  ;(await harness.offer()).settle({ namespaces: ['solana', 'eip155'] as [Namespace, ...Namespace[]] })
  await harness.turn()
  expect(harness.calls).toEqual([
    'connect eip155 qrcode Pocket',
    'connect solana secondary qrcode Pocket',
    'used pocket',
  ])
  expect(harness.records.deepLink.get()).toBeUndefined()
})

test('a wallet that approves only an inactive family is connected in that family [R4.13]', async () => {
  const harness = createHarness()
  harness.pairing.look({ by: 'qrcode' })
  ;(await harness.offer()).settle({ namespaces: ['solana'] as [Namespace] })
  await harness.turn()
  expect(harness.calls).toEqual(['connect solana qrcode Pocket Wallet'])
})

test('the other families stay connected if one family cannot be connected [R4.13]', async () => {
  const connected: string[] = []
  const harness = createHarness({
    async connect({ namespace }) {
      if (namespace === 'solana') throw new Error('The family is not available')
      connected.push(namespace)
      return { namespace } as unknown as Session
    },
  })
  harness.pairing.look({ by: 'qrcode' })
  ;(await harness.offer()).settle({ namespaces: ['eip155', 'solana', 'bip122'] as [Namespace, ...Namespace[]] })
  await harness.turn()
  expect([connected, harness.calls]).toEqual([['eip155', 'bip122'], []])
})

test('opening the view does not start a pairing when the host controls WalletConnect, but the host can start one [R1.1]', async () => {
  const harness = createHarness({ manual: true })
  harness.pairing.look({ by: 'qrcode' })
  await harness.turn()
  expect(harness.tries).toHaveLength(0)
  const connected = harness.pairing.connect({ namespace: 'eip155' })
  ;(await harness.offer()).settle()
  expect(await connected).toEqual({ namespace: 'eip155' })
})

test('connecting a second wallet starts a new pairing, whether a view or the host requests the connection', async () => {
  const harness = createHarness()
  const away = harness.pairing.look({ by: 'qrcode' })
  ;(await harness.offer()).settle()
  await harness.turn()
  away()
  harness.pairing.look({ by: 'qrcode' })
  ;(await harness.offer()).settle()
  await harness.turn()
  const connected = harness.pairing.connect({ namespace: 'eip155' })
  ;(await harness.offer()).settle()
  expect(await connected).toEqual({ namespace: 'eip155' })
  expect(harness.tries).toHaveLength(3)
})

test('aborting a connection cancels its pairing', async () => {
  const harness = createHarness()
  const stop = new AbortController()
  const connected = harness.pairing.connect({ signal: stop.signal })
  const offer = await harness.offer()
  stop.abort()
  await expect(connected).rejects.toMatchObject({ code: 'request/aborted' })
  expect(offer.aborted).toBe(true)
})

test('the link to the app that the user opened is stored, and opens the app again for requests [R3.17] [R8.3] [R1.1]', async () => {
  const harness = createHarness()
  harness.pairing.look({ wallet: pocket, by: 'mobile' })
  expect(harness.pairing.link(pocket, 'mobile')).toBeUndefined()
  const offer = await harness.offer()
  const link = harness.pairing.link(pocket, 'mobile')
  expect(link).toEqual({ url: 'https://pocket.example/wc?uri=wc%3A1%402', target: '_self' })
  expect(link && harness.pairing.open(link)).toBe(true)
  expect(harness.opened).toEqual(['_self https://pocket.example/wc?uri=wc%3A1%402 noreferrer noopener'])
  offer.settle()
  await harness.turn()
  expect(harness.calls).toContain('connect eip155 mobile Pocket')
  expect(harness.records.deepLink.get()).toEqual({ href: 'pocket://', name: 'Pocket' })
  harness.pairing.remind({ requestId: 7, topic: 'ab' })
  expect(harness.opened.at(-1)).toBe('_self pocket://wc?requestId=7&sessionTopic=ab noreferrer noopener')
})

test.each<[by: 'mobile' | 'desktop' | 'web' | 'qrcode', wallet: Partial<Wallet>, stored: object | undefined]>([
  ['mobile', { mobile_link: 'pocket://' }, { href: 'pocket://', name: 'Pocket' }],
  ['desktop', { desktop_link: 'pocket-desktop://' }, { href: 'pocket-desktop://', name: 'Pocket' }],
  ['web', { webapp_link: 'https://pocket.example/' }, { href: 'https://pocket.example/', name: 'Pocket' }],
  ['desktop', { mobile_link: 'pocket://' }, undefined],
  ['qrcode', { mobile_link: 'pocket://' }, undefined],
])('pairing by %s with a wallet that has %o stores the app link %o [R3.17]', async (by, links, stored) => {
  const harness = createHarness()
  harness.records.deepLink.set({ href: 'earlier://', name: 'Earlier' })
  harness.pairing.look({ wallet: { id: 'pocket', name: 'Pocket', ...links }, by })
  ;(await harness.offer()).settle()
  await harness.turn()
  expect(harness.records.deepLink.get()).toEqual(stored)
})

test('a web wallet opens in a new tab while this page waits for it [R1.1]', async () => {
  const harness = createHarness()
  const page = 'https://wallet.example/#/'
  const wallet: Wallet = { id: 'page', name: 'Page', mobile_link: page, webapp_link: page }
  harness.pairing.look({ wallet, by: 'mobile' })
  await harness.offer()
  expect(harness.pairing.link(wallet, 'mobile')).toEqual({ url: `${page}wc?uri=wc%3A1%402`, target: '_blank' })
})

test('no wallet is opened if the page is not focused, and the log message does not contain the secret [R8.3]', async () => {
  const harness = createHarness({ universalLinks: false })
  harness.pairing.look({ wallet: pocket, by: 'mobile' })
  await harness.offer()
  harness.blur()
  const link = harness.pairing.link(pocket, 'mobile')
  expect(link && harness.pairing.open(link)).toBe(false)
  harness.records.deepLink.set({ href: 'pocket://', name: 'Pocket' })
  harness.pairing.remind({ requestId: 7, topic: 'ab' })
  expect(harness.opened).toEqual([])
  expect(harness.warnings).toEqual([
    'The page is not focused, so "pocket://wc" was not opened.',
    'The page is not focused, so "pocket://" was not opened.',
  ])
})

test('a script URL in the stored app link is not opened [R3.17]', async () => {
  const harness = createHarness()
  harness.records.deepLink.set({ href: 'javascript:alert(1)//', name: 'Pocket' })
  harness.pairing.remind({ requestId: 7, topic: 'ab' })
  expect(harness.opened).toEqual([])
})

test.each(['http://wallet.example', 'https://wallet.example@evil.example', 'intent://wallet'])(
  'the pairing secret is not sent to %s',
  async (mobile_link) => {
    const harness = createHarness()
    const wallet: Wallet = { id: 'odd', name: 'Odd', mobile_link }
    harness.pairing.look({ wallet, by: 'mobile' })
    await harness.offer()
    expect(harness.pairing.link(wallet, 'mobile')).toBeUndefined()
  },
)

const signed = {
  account: 'eip155:1:0xab5801a7d398351b8be11c439e05c5b3259aec9b' as const,
  message: 'shop.example wants you to sign in',
  signature: '0x01',
  fields: {
    domain: 'shop.example',
    uri: 'https://shop.example/',
    nonce: 'n0nce',
    issuedAt: '1970-01-01T00:16:40.000Z',
  },
  cacao: { h: { t: 'caip122' } },
}

const onMainnet = () =>
  createStore({
    modal: { open: true },
    networks: { namespace: 'eip155', active: 'eip155:1', known: [fakeNetwork('eip155:1')] },
  } as unknown as State)

function authentication(fails = false): AuthenticationAdapter & { readonly stored: SignInSession[][] } {
  const stored: SignInSession[][] = []
  return {
    stored,
    createMessage: async () => ({ domain: 'shop.example', uri: 'https://shop.example/', version: '1', nonce: 'n0nce' }),
    addSession: async () => undefined,
    getSessions: async () => [],
    revokeSession: async () => undefined,
    async setSessions(sessions) {
      if (fails) throw failure('sign-in/invalid')
      stored.push([...sessions])
    },
  }
}

test('a wallet is asked to sign in while it connects, and its session is stored before the account is connected [R3.9] [R4.12]', async () => {
  const signIn = authentication()
  const known = [fakeNetwork('eip155:137'), fakeNetwork('eip155:1')]
  const state = createStore({
    modal: { open: true },
    networks: { namespace: 'eip155', active: 'eip155:1', known },
  } as unknown as State)
  const harness = createHarness({ signIn, state })
  harness.pairing.look({ by: 'qrcode', authenticating: 'Authenticating...' })
  const offer = await harness.offer()
  expect(offer.signIn).toMatchObject({ chains: ['eip155:1', 'eip155:137'], nonce: 'n0nce', domain: 'shop.example' })
  offer.settle({ signed: [signed] })
  await harness.turn()
  expect(harness.calls).toEqual([
    'loading: Authenticating...',
    'SIWX_AUTH_SUCCESS',
    'toast hidden',
    'connect eip155 qrcode Pocket Wallet',
  ])
  expect(signIn.stored).toEqual([
    [
      {
        data: {
          ...signed.fields,
          version: '1',
          chainId: 'eip155:1',
          accountAddress: '0xab5801a7d398351b8be11c439e05c5b3259aec9b',
        },
        message: signed.message,
        signature: '0x01',
        cacao: signed.cacao,
      },
    ],
  ])
})

test('every field of the message is passed to a wallet that signs while connecting [R3.10]', async () => {
  const fields = {
    domain: 'shop.example',
    uri: 'https://shop.example/',
    nonce: 'n0nce',
    issuedAt: '2026-01-01T00:00:00.000Z',
    expirationTime: '2026-01-02T00:00:00.000Z',
    notBefore: '2025-12-31T00:00:00.000Z',
    requestId: 'request-1',
    statement: 'Welcome',
    resources: ['https://shop.example/terms'],
  }
  const signIn = { ...authentication(), createMessage: async () => ({ ...fields, version: '1' }) }
  const harness = createHarness({ signIn, state: onMainnet() })
  harness.pairing.look({ by: 'qrcode' })
  expect((await harness.offer()).signIn).toEqual({ ...fields, chains: ['eip155:1'] })
  const { issuedAt: _, ...rest } = fields
  const timeless = { ...authentication(), createMessage: async () => ({ ...rest, version: '1' }) }
  const other = createHarness({ signIn: timeless, state: onMainnet() })
  other.pairing.look({ by: 'qrcode' })
  expect((await other.offer()).signIn?.issuedAt).toBe(new Date(other.clock.now()).toISOString())
})

test('a sign-in that fails verification prevents the connection and ends the wallet’s session [R4.12]', async () => {
  const harness = createHarness({ signIn: authentication(true), state: onMainnet() })
  harness.pairing.look({ by: 'qrcode' })
  ;(await harness.offer()).settle({ signed: [signed] })
  await harness.turn()
  expect(harness.calls).toEqual([
    'loading: Authenticating...',
    'SIWX_AUTH_ERROR',
    'toast hidden',
    'ended',
    'CONNECT_ERROR',
  ])
  expect(harness.pairing.state.get()).toMatchObject({ status: 'failed', error: { code: 'sign-in/invalid' } })
})

test('if a wallet signs in but cannot be connected, its sign-in is revoked [R4.12]', async () => {
  const signIn = authentication()
  const harness = createHarness({
    signIn,
    state: onMainnet(),
    connect: () => Promise.reject(new Error('The session is gone')),
  })
  harness.pairing.look({ by: 'qrcode' })
  ;(await harness.offer()).settle({ signed: [signed] })
  await harness.turn()
  expect(harness.pairing.state.get().status).toBe('failed')
  expect(signIn.stored.at(-1)).toEqual([])
})

test.each([
  ['a different domain', { domain: 'evil.example' }],
  ['a different URI', { uri: 'https://evil.example/' }],
  ['a different nonce', { nonce: 'old' }],
  ['a different issue time', { issuedAt: '1970-01-01T00:00:00.000Z' }],
  ['a later expiration time', { expirationTime: '2999-01-01T00:00:00.000Z' }],
])('a sign-in with %s is not passed to the authentication adapter [R4.12]', async (_, wrong) => {
  const signIn = authentication()
  const harness = createHarness({ signIn, state: onMainnet() })
  harness.pairing.look({ by: 'qrcode' })
  ;(await harness.offer()).settle({ signed: [{ ...signed, fields: { ...signed.fields, ...wrong } }] })
  await harness.turn()
  expect(signIn.stored).toEqual([])
  expect(harness.pairing.state.get()).toMatchObject({ status: 'failed', error: { code: 'sign-in/invalid' } })
})

test('a sign-in on a chain that was not requested is ignored [R4.12]', async () => {
  const signIn = authentication()
  const harness = createHarness({ signIn, state: onMainnet() })
  harness.pairing.look({ by: 'qrcode' })
  const account = signed.account.replace('eip155:1:', 'eip155:5:') as typeof signed.account
  ;(await harness.offer()).settle({ signed: [{ ...signed, account }] })
  await harness.turn()
  expect(signIn.stored).toEqual([])
})

test('a wallet that does not support sign-in can still connect [R4.12]', async () => {
  const signIn = authentication()
  const harness = createHarness({ signIn })
  harness.pairing.look({ by: 'qrcode' })
  ;(await harness.offer()).settle()
  await harness.turn()
  expect(harness.calls).toEqual(['connect eip155 qrcode Pocket Wallet'])
  expect(signIn.stored).toEqual([])
})
