import { describe, expect, test, vi } from 'vitest'
// Loads the lazily imported chunks up front. See testPage.ts.
import '../packages/core/src/modal/modalSignIn.ts'
import { createLatchkey, type LatchkeyOptions } from '../packages/core/src/index.ts'
import { canClose } from '../packages/core/src/modal/canClose.ts'
import { initialRoute } from '../packages/core/src/modal/initialRoute.ts'
import { networkRoute } from '../packages/core/src/modal/networkRoute.ts'
import { afterSwitch, back, push, type RouterContext, replace } from '../packages/core/src/modal/router.ts'
import { top } from '../packages/core/src/modal/routeStack.ts'
import { route, type Stack, type ViewName } from '../packages/core/src/modal/views.ts'
import {
  fakeAdapter,
  fakeAuthentication,
  fakeClock,
  fakeConnector,
  fakeNetwork,
  memoryStorage,
} from '../packages/core/src/testing/index.ts'
import { openPage, viewsOf } from './testPage.ts'

const calm: RouterContext = {
  connected: false,
  adapters: 1,
  mobile: false,
  manual: false,
  signIn: 'off',
  signedIn: false,
}
const stack = (...views: ViewName[]): Stack => views.map((view) => ({ view, data: undefined })) as unknown as Stack
const names = (found: Stack | undefined) => found?.map(({ view }) => view)

describe('the view names', () => {
  test('every specified view can be opened by name, regardless of the URL [R2.1]', async () => {
    const specified: ViewName[] = [
      'Connect',
      'Account',
      'AllWallets',
      'ConnectingWalletConnectBasic',
      'SIWXSignMessage',
      'ApproveTransaction',
      'UnsupportedChain',
      'ConnectingSiwe',
      'ConnectingFarcaster',
      'RegisterAccountName',
      'RegisterAccountNameSuccess',
    ]
    for (const view of specified) expect(initialRoute(calm, { view, data: undefined } as never).view).toBe(view)
  })

  test('opening a view that does not exist does nothing except log a message [R2.1]', async () => {
    const { latchkey } = await openPage()
    latchkey.modal.open()
    latchkey.modal.push('Checkout' as ViewName, undefined as never)
    expect(viewsOf(latchkey)).toEqual(['Connect'])
    expect(latchkey.log.entries().some(({ text }) => text.includes('Checkout'))).toBe(true)
  })
})

describe('the stack', () => {
  test.each<[string, () => Stack | undefined, readonly string[] | undefined]>([
    ['push appends', () => push(stack('Connect'), route('Networks')), ['Connect', 'Networks']],
    ['pushing the current view does nothing', () => push(stack('Connect'), route('Connect')), ['Connect']],
    [
      'replace replaces the last view',
      () => replace(stack('Connect', 'Networks'), route('Account')),
      ['Connect', 'Account'],
    ],
    [
      'replacing a view with itself does nothing',
      () => replace(stack('Connect', 'Networks'), route('Networks')),
      ['Connect', 'Networks'],
    ],
    ['back removes the last view', () => back(stack('Connect', 'AllWallets')), ['Connect']],
    [
      'a network switch returns to the view before Networks',
      () => afterSwitch(stack('Account', 'Networks', 'SwitchNetwork')),
      ['Account'],
    ],
    [
      'a network switch from the first view closes the modal',
      () => afterSwitch(stack('Networks', 'SwitchNetwork')),
      undefined,
    ],
  ])('%s [R2.2]', async (_, act, expected) => {
    expect(names(act())).toEqual(expected)
  })

  test('reset replaces the stack with one view and its data [R2.2]', async () => {
    const { latchkey } = await openPage()
    latchkey.modal.open()
    latchkey.modal.push('AllWallets')
    latchkey.modal.reset('SwitchNetwork', { network: 'eip155:10' })
    expect(latchkey.state.get().modal.stack).toEqual([route('SwitchNetwork', { network: 'eip155:10' })])
  })

  test('replacing a view with itself keeps the data [R2.2]', async () => {
    const first: Stack = [route('SwitchNetwork', { network: 'eip155:10' })]
    expect(top(replace(first, route('SwitchNetwork', { network: 'eip155:1' }))).data).toEqual({ network: 'eip155:10' })
  })

  test('back removes one view at a time [R2.2]', async () => {
    const { latchkey } = await openPage()
    latchkey.modal.open()
    latchkey.modal.push('AllWallets')
    latchkey.modal.push('WhatIsAWallet')
    const before = viewsOf(latchkey)
    latchkey.modal.back()
    const after = viewsOf(latchkey)
    latchkey.modal.back()
    expect([before, after, viewsOf(latchkey)]).toEqual([
      ['Connect', 'AllWallets', 'WhatIsAWallet'],
      ['Connect', 'AllWallets'],
      ['Connect'],
    ])
  })

  test('back returns through every view in a deep stack, each with its data [R2.2]', async () => {
    const { latchkey } = await openPage()
    const { modal } = latchkey
    const entries = () => latchkey.state.get().modal.stack
    modal.open()
    for (let at = 1; at <= 20; at += 1) {
      modal.push('SwitchNetwork', { network: `eip155:${at}` })
      modal.push('AllWallets')
    }
    modal.replace('SwitchNetwork', { network: 'eip155:21' })
    const left = [...entries()]
    expect(left).toHaveLength(41)
    expect(left.flatMap(({ data }) => (data ? [data] : []))).toEqual(
      Array.from({ length: 21 }, (_, at) => ({ network: `eip155:${at + 1}` })),
    )
    while (left.length > 1) {
      modal.back()
      left.pop()
      expect(entries()).toEqual(left)
    }
    expect(entries()).toEqual([route('Connect')])
  })

  test('push, replace and reset change the stack, except when the new view is already the current view [R2.2]', async () => {
    const { latchkey } = await openPage()
    const { modal } = latchkey
    const now = () => latchkey.state.get().modal.stack.map(({ view, data }) => (data ? [view, data] : view))
    const params = { network: 'eip155:1' } as const
    const ten = { network: 'eip155:10' } as const
    modal.open()
    modal.push('AllWallets')
    modal.push('AllWallets')
    expect(now()).toEqual(['Connect', 'AllWallets'])
    modal.push('SwitchNetwork', params)
    modal.push('SwitchNetwork', ten)
    expect(now()).toEqual(['Connect', 'AllWallets', ['SwitchNetwork', params]])
    modal.replace('SwitchNetwork', ten)
    expect(now()).toEqual(['Connect', 'AllWallets', ['SwitchNetwork', params]])
    modal.replace('Networks')
    expect(now()).toEqual(['Connect', 'AllWallets', 'Networks'])
    // A view can be pushed again if it is not the current view.
    modal.push('AllWallets')
    expect(now()).toEqual(['Connect', 'AllWallets', 'Networks', 'AllWallets'])
    modal.reset('Networks')
    expect(now()).toEqual(['Networks'])
  })

  test('closing and opening discard the stack [R2.2]', async () => {
    const { latchkey } = await openPage()
    latchkey.modal.open()
    latchkey.modal.push('AllWallets')
    latchkey.modal.push('WhatIsAWallet')
    latchkey.modal.close()
    expect(viewsOf(latchkey)).toEqual(['Connect'])
    latchkey.modal.open()
    expect(viewsOf(latchkey)).toEqual(['Connect'])
    // Opening a modal that is already open also discards the stack.
    latchkey.modal.push('AllWallets')
    latchkey.modal.open({ view: route('Networks') })
    expect(viewsOf(latchkey)).toEqual(['Networks'])
  })

  test('back closes the modal when only one view remains [R2.9]', async () => {
    expect(back(stack('Networks'))).toBeUndefined()
    const { latchkey } = await openPage()
    latchkey.modal.open({ view: route('Networks') })
    latchkey.modal.back()
    expect(latchkey.state.get().modal.open).toBe(false)
  })

  test.each<[string, ...ViewName[]]>([
    ['the first view', 'UnsupportedChain', 'Networks'],
    ['the first of many views', 'UnsupportedChain', 'Networks', 'WhatIsANetwork'],
    ['in the middle of the stack', 'Account', 'UnsupportedChain', 'WhatIsANetwork'],
    ['the current view', 'Account', 'UnsupportedChain'],
  ])('back closes the modal if UnsupportedChain is %s [R2.9]', async (_, ...views) => {
    expect(back(stack(...(views as ViewName[])), { connected: true })).toBeUndefined()
    const { latchkey } = await openPage()
    const [first, ...others] = views as [ViewName, ...ViewName[]]
    latchkey.modal.open({ view: { view: first, data: undefined } as never })
    for (const view of others) latchkey.modal.push(view as 'Networks')
    expect(viewsOf(latchkey)).toEqual(views)
    latchkey.modal.back()
    expect(latchkey.state.get().modal.open).toBe(false)
  })

  test('going back to Connect shows Account instead if the user is connected [R2.9]', async () => {
    expect(names(back(stack('Connect', 'Networks'), { connected: true }))).toEqual(['Account'])
  })
})

describe('opening', () => {
  const view = route('Networks')
  test.each<[string, Partial<RouterContext>, typeof view | undefined, ViewName]>([
    ['there are no adapters and no address, on desktop', { adapters: 0 }, undefined, 'ConnectingWalletConnectBasic'],
    ['there are no adapters and no address, on a phone', { adapters: 0, mobile: true }, undefined, 'AllWallets'],
    ['manualWalletConnect is set, even if a view is requested', { manual: true }, view, 'ConnectingWalletConnectBasic'],
    ['manualWalletConnect is set, on a phone', { manual: true, mobile: true }, view, 'AllWallets'],
    [
      'manualWalletConnect is set and there is an address',
      { manual: true, connected: true },
      undefined,
      'ConnectingWalletConnectBasic',
    ],
    [
      'manualWalletConnect is set and there are no adapters',
      { manual: true, adapters: 0 },
      view,
      'ConnectingWalletConnectBasic',
    ],
    ['there are no adapters, even if a view is requested', { adapters: 0 }, view, 'ConnectingWalletConnectBasic'],
    [
      'there are no adapters, on a phone, even if a view is requested',
      { adapters: 0, mobile: true },
      view,
      'AllWallets',
    ],
  ])('the modal opens with WalletConnect if %s [R2.3]', async (_, now, requested, view) => {
    expect(initialRoute({ ...calm, ...now }, requested).view).toBe(view)
  })

  test.each([
    ['an Android phone', 'Mozilla/5.0 (Linux; Android 15; Pixel 9) Mobile Safari', 5, undefined, 'AllWallets'],
    ['an iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', 5, undefined, 'AllWallets'],
    [
      'an iPad that reports itself as a Mac',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)',
      5,
      undefined,
      'AllWallets',
    ],
    [
      'an iPad that reports itself as an iPad',
      'Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit',
      5,
      undefined,
      'AllWallets',
    ],
    ['an iPod', 'Mozilla/5.0 (iPod touch; CPU iPhone OS 12_5 like Mac OS X)', 5, undefined, 'AllWallets'],
    [
      'an iPad that reports no touch points',
      'Mozilla/5.0 (iPad; U; CPU OS 9_3) AppleWebKit',
      0,
      undefined,
      'AllWallets',
    ],
    ['an Android tablet', 'Mozilla/5.0 (Linux; Android 14; SM-X710) Safari', 5, undefined, 'AllWallets'],
    ['Linux', 'Mozilla/5.0 (X11; Linux x86_64) Firefox', 10, undefined, 'ConnectingWalletConnectBasic'],
    ['a browser that reports itself as mobile', 'Mozilla/5.0 (Linux)', 0, { mobile: true }, 'AllWallets'],
    ['a Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 0, undefined, 'ConnectingWalletConnectBasic'],
    ['Windows', 'Mozilla/5.0 (Windows NT 10.0) Chrome', 10, { mobile: false }, 'ConnectingWalletConnectBasic'],
  ] as const)(
    'if the platform option is omitted, the modal detects %s [R2.3]',
    async (_, userAgent, maxTouchPoints, userAgentData, view) => {
      vi.stubGlobal('navigator', { userAgent, maxTouchPoints, ...(userAgentData && { userAgentData }) })
      try {
        const latchkey = createLatchkey({ clock: fakeClock(), storage: memoryStorage(), logLevel: 'silent' })
        const stop = latchkey.start()
        await latchkey.prepare()
        latchkey.modal.open()
        expect(viewsOf(latchkey)).toEqual([view])
        stop()
      } finally {
        vi.unstubAllGlobals()
      }
    },
  )

  test.each<[string, LatchkeyOptions]>([
    ['manualWalletConnect is set', { manualWalletConnect: true }],
    ['there are no adapters', { adapters: [] }],
  ])('if %s, a namespace in open() does not change the first view [R2.3]', async (_, options) => {
    for (const [platform, view] of [
      ['desktop', 'ConnectingWalletConnectBasic'],
      ['mobile', 'AllWallets'],
    ] as const) {
      const { latchkey } = await openPage({ ...options, platform })
      for (const params of [
        { namespace: 'eip155' },
        { namespace: 'solana' },
        { namespace: 'eip155', view: route('Networks') },
      ] as const) {
        latchkey.modal.open(params)
        expect(viewsOf(latchkey)).toEqual([view])
      }
    }
  })

  test('the modal opens with Connect if manualWalletConnect is false or omitted [R2.3]', async () => {
    for (const options of [{}, { manualWalletConnect: false }]) {
      const { latchkey } = await openPage(options)
      latchkey.modal.open()
      expect(viewsOf(latchkey)).toEqual(['Connect'])
    }
  })

  test('a requested view and its data take precedence over Account [R2.4]', async () => {
    const { latchkey, connect } = await openPage()
    await connect()
    latchkey.modal.open({ view: route('SwitchNetwork', { network: 'eip155:10' }) })
    expect(latchkey.state.get().modal.stack).toEqual([route('SwitchNetwork', { network: 'eip155:10' })])
    // Connect can be opened even if the user is connected.
    latchkey.modal.close()
    latchkey.modal.open({ view: route('Connect', { login: true }) })
    expect(latchkey.state.get().modal.stack).toEqual([route('Connect', { login: true })])
  })

  test('a requested view and its data take precedence over Connect, even if a namespace is also requested [R2.4]', async () => {
    const { latchkey } = await openPage()
    latchkey.modal.open({ view: route('SwitchNetwork', { network: 'eip155:10' }) })
    expect(latchkey.state.get().modal.stack).toEqual([route('SwitchNetwork', { network: 'eip155:10' })])
    latchkey.modal.close()
    latchkey.modal.open({ namespace: 'eip155', view: route('EmailVerifyOtp', { email: 'ada@example.org' }) })
    expect(latchkey.state.get().modal.stack).toEqual([route('EmailVerifyOtp', { email: 'ada@example.org' })])
    // Account can be opened even if the user is disconnected. The view then offers to connect.
    latchkey.modal.close()
    latchkey.modal.open({ view: route('Account') })
    expect(viewsOf(latchkey)).toEqual(['Account'])
  })

  test('the first view depends on the requested namespace, or on the active namespace by default [R2.5]', async () => {
    const evm = fakeConnector({ id: 'io.a', name: 'A' })
    const networks = [fakeNetwork('solana:x')]
    const solana = fakeConnector({ id: 'io.b', name: 'B', namespace: 'solana', chain: 'solana:x', addresses: ['So1'] })
    const { latchkey } = await openPage({
      adapters: [fakeAdapter({ wallets: [evm] }), fakeAdapter({ namespace: 'solana', networks, wallets: [solana] })],
    })
    const opens = (params?: Parameters<typeof latchkey.modal.open>[0]) => {
      latchkey.modal.open(params)
      const views = viewsOf(latchkey)
      latchkey.modal.close()
      return views
    }
    await latchkey.connect({ connectorId: 'io.a' })
    expect(opens({ namespace: 'eip155' })).toEqual(['Account'])
    expect(opens({ namespace: 'solana' })).toEqual(['Connect'])
    // Solana is now the active namespace.
    expect(opens()).toEqual(['Connect'])
    expect(opens({ namespace: 'eip155' })).toEqual(['Account'])
    await latchkey.connect({ connectorId: 'io.b', namespace: 'solana' })
    expect(opens({ namespace: 'solana' })).toEqual(['Account'])
    await latchkey.disconnect()
    expect([opens(), opens({ namespace: 'eip155' }), opens({ namespace: 'solana' })]).toEqual([
      ['Connect'],
      ['Connect'],
      ['Connect'],
    ])
  })

  test('the modal opens Account while restoring a connection, but Connect while a new one is pending [R2.5]', async () => {
    let approve = (): void => {}
    const waits = new Promise<void>((resolve) => (approve = resolve))
    const first = await openPage()
    await first.connect()
    const stored = first.storage.all()
    first.stop()
    const wallet = fakeConnector({ id: 'io.example', rdns: 'io.example', name: 'Example', waits })
    const returning = await openPage({}, { wallet, stored })
    expect(returning.latchkey.account().status).toBe('reconnecting')
    returning.latchkey.modal.open()
    expect(viewsOf(returning.latchkey)).toEqual(['Account'])

    const { latchkey, clock } = await openPage({}, { wallet })
    const connecting = latchkey.connect({ connectorId: wallet.id })
    await clock.pass(0)
    expect(latchkey.account().status).toBe('connecting')
    latchkey.modal.open()
    expect(viewsOf(latchkey)).toEqual(['Connect'])
    approve()
    await connecting
  })

  test('if no view is requested, the modal opens Account when the user is connected and Connect otherwise [R2.5]', async () => {
    const { latchkey, connect } = await openPage()
    latchkey.modal.open()
    expect(viewsOf(latchkey)).toEqual(['Connect'])
    latchkey.modal.close()
    await connect()
    latchkey.modal.open()
    expect(viewsOf(latchkey)).toEqual(['Account'])
  })

  test('a multichain connector is not an adapter, so the modal opens with WalletConnect [R2.3]', async () => {
    const bridge = { id: 'bridge', connectorFor: () => undefined }
    const { latchkey } = await openPage({ adapters: [], wallets: [bridge] })
    latchkey.modal.open()
    expect(viewsOf(latchkey)).toEqual(['ConnectingWalletConnectBasic'])
  })

  test('even if there are no adapters, the modal opens Account when an address is connected [R2.3, R2.5]', async () => {
    expect(initialRoute({ ...calm, adapters: 0, connected: true }).view).toBe('Account')
  })
})

describe('closing', () => {
  test('an approval keeps the modal open unless closing is forced [R2.6]', async () => {
    const approval = route('ApproveTransaction', { requestId: '1' })
    expect(canClose(approval, calm, { forced: false })).toBe(false)
    expect(canClose(approval, calm, { forced: true })).toBe(true)
    // The sign-in state makes no difference.
    for (const signIn of ['required', 'optional', 'off'] as const)
      for (const signedIn of [true, false])
        expect(canClose(approval, { signIn, signedIn }, { forced: false })).toBe(false)
  })

  test.each([{}, { embedded: true }])(
    'with %o, close() and back() cannot leave an approval, but a forced close can [R2.6] [R2.7]',
    async (options) => {
      const { latchkey, connect } = await openPage(options)
      await connect()
      latchkey.modal.open({ view: route('Account') })
      latchkey.modal.push('ApproveTransaction', { requestId: '1' })
      expect([latchkey.modal.close(), latchkey.modal.close({}), latchkey.modal.close({ force: false })]).toEqual([
        false,
        false,
        false,
      ])
      latchkey.modal.back()
      expect(viewsOf(latchkey)).toEqual(['Account', 'ApproveTransaction'])
      expect(latchkey.state.get().modal).toMatchObject({ open: true, shaking: true })
      expect(latchkey.modal.close({ force: true })).toBe(true)
      expect(latchkey.state.get().modal).toMatchObject({ open: 'embedded' in options, shaking: false })
      expect(viewsOf(latchkey)).toEqual(['embedded' in options ? 'Account' : 'Connect'])
    },
  )

  test('an approval that is not the current view does not keep the modal open [R2.6]', async () => {
    const { latchkey } = await openPage()
    latchkey.modal.open({ view: route('ApproveTransaction', { requestId: '1' }) })
    latchkey.modal.push('WhatIsAWallet')
    expect(latchkey.modal.close()).toBe(true)
    expect(latchkey.state.get().modal.open).toBe(false)
  })

  test('closing an embedded modal navigates to Account if the user is connected, otherwise to Connect [R2.7]', async () => {
    const { latchkey, connect } = await openPage({ embedded: true })
    latchkey.modal.push('Networks')
    latchkey.modal.close()
    expect(viewsOf(latchkey)).toEqual(['Connect'])
    expect(latchkey.state.get().modal.open).toBe(true)
    await connect()
    expect(viewsOf(latchkey)).toEqual(['Account'])
    latchkey.modal.push('Networks')
    latchkey.modal.close()
    expect(viewsOf(latchkey)).toEqual(['Account'])
  })

  test('a forced close, or going back from the only view, also resets an embedded modal to Account or Connect [R2.7]', async () => {
    const { latchkey, connect } = await openPage({ embedded: true, manualWalletConnect: true })
    latchkey.modal.reset('Networks')
    latchkey.modal.back()
    expect(viewsOf(latchkey)).toEqual(['Connect'])
    latchkey.modal.reset('Networks')
    latchkey.modal.close({ force: true })
    expect(viewsOf(latchkey)).toEqual(['Connect'])
    await connect()
    latchkey.modal.reset('UnsupportedChain')
    latchkey.modal.push('Networks')
    latchkey.modal.back()
    expect([viewsOf(latchkey), latchkey.state.get().modal.open]).toEqual([['Account'], true])
    await latchkey.disconnect()
    latchkey.modal.push('AllWallets')
    latchkey.modal.close()
    expect([viewsOf(latchkey), latchkey.state.get().modal.open]).toEqual([['Connect'], true])
  })

  test('closing hides the modal unless it is embedded [R2.7]', async () => {
    for (const options of [{}, { embedded: false }]) {
      const { latchkey, connect } = await openPage(options)
      expect(latchkey.state.get().modal.open).toBe(false)
      await connect()
      latchkey.modal.open({ view: route('Networks') })
      latchkey.modal.close()
      expect([viewsOf(latchkey), latchkey.state.get().modal.open]).toEqual([['Connect'], false])
    }
  })

  test.each<[RouterContext['signIn'], boolean, boolean]>([
    ['required', false, false],
    ['required', true, true],
    ['optional', false, true],
    ['optional', true, true],
    ['off', false, true],
  ])(
    'with signIn: %s and signedIn: %s, canClose() returns %s for a sign-in view [R2.8]',
    async (signIn, signedIn, expected) => {
      for (const view of ['SIWXSignMessage', 'ConnectingSiwe'] as const) {
        expect(canClose(route(view), { signIn, signedIn }, { forced: false })).toBe(expected)
        expect(canClose(route(view), { signIn, signedIn }, { forced: true })).toBe(true)
      }
      // Every other view can be closed without a session.
      for (const view of ['Account', 'Networks', 'Connect'] as const)
        expect(canClose(route(view), { signIn, signedIn }, { forced: false })).toBe(true)
    },
  )

  test.each([{}, { embedded: true }])(
    'with %o, a required sign-in can be closed only if there is a session for the current account and network [R2.8]',
    async (options) => {
      const wallet = fakeConnector({ id: 'io.example', can: { signMessage: async () => new Uint8Array([1]) } })
      const { latchkey, connect, clock } = await openPage(
        { signIn: 'required', authentication: fakeAuthentication(), ...options },
        { wallet },
      )
      const signIn = await latchkey.signIn()
      await connect()
      expect(viewsOf(latchkey)).toEqual(['SIWXSignMessage'])
      expect(latchkey.modal.close()).toBe(false)
      expect(viewsOf(latchkey)).toEqual(['SIWXSignMessage'])
      expect(latchkey.state.get().modal).toMatchObject({ open: true, shaking: true })
      await signIn?.sign()
      for (const view of ['SIWXSignMessage', 'ConnectingSiwe'] as const) {
        latchkey.modal.open({ view: route(view) })
        expect(viewsOf(latchkey)).toEqual([view])
        expect(latchkey.modal.close()).toBe(true)
      }
      expect(viewsOf(latchkey)).toEqual(['embedded' in options ? 'Account' : 'Connect'])
      // A session is only valid for one account on one network.
      await latchkey.switchNetwork('eip155:10')
      await clock.pass(0)
      latchkey.modal.open({ view: route('SIWXSignMessage') })
      expect(latchkey.modal.close()).toBe(false)
    },
  )

  test.each([
    ['desktop', 'ConnectingWalletConnectBasic'],
    ['mobile', 'AllWallets'],
  ] as const)(
    'if manualWalletConnect is set on %s, the modal opens %s, regardless of the account and the requested view [R2.3]',
    async (platform, view) => {
      const { latchkey, connect } = await openPage({ manualWalletConnect: true, platform })
      latchkey.modal.open({ view: route('Networks') })
      expect(viewsOf(latchkey)).toEqual([view])
      latchkey.modal.close()
      await connect()
      latchkey.modal.open()
      expect(viewsOf(latchkey)).toEqual([view])
      const alone = await openPage({ adapters: [], platform })
      alone.latchkey.modal.open()
      expect(viewsOf(alone.latchkey)).toEqual([view])
    },
  )

  test('back closes the modal if the wallet is on an unsupported chain [R2.9]', async () => {
    const { latchkey, connect, wallet } = await openPage()
    await connect()
    wallet.sessions[0]?.change({ chain: 'eip155:999' })
    expect(viewsOf(latchkey)).toEqual(['UnsupportedChain'])
    expect(latchkey.network('eip155:999')?.name).toBe('Unknown Network')
    latchkey.modal.push('Networks')
    latchkey.modal.back()
    expect(latchkey.state.get().modal.open).toBe(false)
  })
})

describe('selecting a network', () => {
  const now = {
    active: 'eip155:1',
    target: 'solana:x',
    embeddedWallet: false,
    connected: (namespace: string) => namespace === 'eip155',
  } as const
  test.each<[string, Partial<Parameters<typeof networkRoute>[0]>, ViewName | undefined]>([
    ['selecting the active network opens no view', { target: 'eip155:1' }, undefined],
    ['a different network in the same family opens SwitchNetwork', { target: 'eip155:10' }, 'SwitchNetwork'],
    ['a network in a family that has no connection opens SwitchActiveChain', {}, 'SwitchActiveChain'],
    [
      'a network in a different family opens SwitchNetwork if that family has a connection',
      { connected: () => true },
      'SwitchNetwork',
    ],
    ['any network opens SwitchNetwork if there is no connection', { connected: () => false }, 'SwitchNetwork'],
    ['the embedded wallet can switch to Solana', { embeddedWallet: true }, 'SwitchNetwork'],
    ['the embedded wallet cannot switch to Bitcoin', { embeddedWallet: true, target: 'bip122:x' }, 'SwitchActiveChain'],
  ])('%s [R2.2]', async (_, change, view) => {
    expect(networkRoute({ ...now, ...change })?.view).toBe(view)
  })

  test('the user can select only the host’s networks, both before and after connecting [R1.13]', async () => {
    const wallet = fakeConnector({ id: 'io.a', name: 'A' })
    const names = ['solana:x', 'solana:y'] as const
    const { latchkey } = await openPage({
      adapters: [
        fakeAdapter({ wallets: [wallet] }),
        fakeAdapter({ namespace: 'solana', networks: names.map((name) => fakeNetwork(name)) }),
      ],
    })
    const active = () => latchkey.state.get().networks.active
    const all = latchkey.state.get().networks.known.map(({ caipNetworkId }) => caipNetworkId)
    expect(all).toEqual(['eip155:1', 'eip155:10', ...names])
    // Before the user connects, selecting a network only makes the network active.
    for (const chain of all) {
      await latchkey.switchNetwork(chain)
      expect(active()).toBe(chain)
    }
    await latchkey.switchNetwork('eip155:10')
    await latchkey.connect({ connectorId: 'io.a' })
    expect(wallet.connectCalls).toEqual([{ chain: 'eip155:10' }])
    latchkey.modal.open({ view: route('Networks') })
    latchkey.pickNetwork('eip155:1')
    expect(latchkey.state.get().modal.stack.at(-1)).toEqual(route('SwitchNetwork', { network: 'eip155:1' }))
    await latchkey.switchNetwork('eip155:1')
    expect([wallet.sessions[0]?.chain, latchkey.account().chain, active()]).toEqual([
      'eip155:1',
      'eip155:1',
      'eip155:1',
    ])
    latchkey.modal.open({ view: route('Networks') })
    latchkey.pickNetwork('solana:y')
    expect(latchkey.state.get().modal.stack.at(-1)).toEqual(
      route('SwitchActiveChain', { namespace: 'solana', network: 'solana:y' }),
    )
    // Any other network is rejected.
    for (const chain of ['eip155:5', 'solana:z', 'bip122:x'] as const)
      await expect(latchkey.switchNetwork(chain)).rejects.toMatchObject({ code: 'network/not-found' })
    expect(active()).toBe('eip155:1')
  })

  test.each([
    ['AUTH', 'SwitchNetwork'],
    ['ANNOUNCED', 'SwitchActiveChain'],
  ] as const)('if the wallet has the type %s, selecting a Solana network opens %s [R1.13]', async (type, view) => {
    const { latchkey } = await openPage({
      adapters: [
        fakeAdapter({ wallets: [fakeConnector({ id: 'io.a', type })] }),
        fakeAdapter({ namespace: 'solana', networks: [fakeNetwork('solana:x')] }),
      ],
    })
    await latchkey.connect({ connectorId: 'io.a' })
    latchkey.modal.open({ view: route('Networks') })
    latchkey.pickNetwork('solana:x')
    expect(viewsOf(latchkey).at(-1)).toBe(view)
  })

  test('selecting a network returns to the view that opened Networks [R2.2]', async () => {
    const { latchkey, connect } = await openPage()
    await connect()
    latchkey.modal.open()
    latchkey.modal.push('Networks')
    latchkey.pickNetwork('eip155:10')
    expect(viewsOf(latchkey)).toEqual(['Account', 'Networks', 'SwitchNetwork'])
    await latchkey.switchNetwork('eip155:10')
    expect(viewsOf(latchkey)).toEqual(['Account'])
  })
})
