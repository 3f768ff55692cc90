import { describe, expect, test } from 'vitest'
import { builtViews } from '../packages/core/src/index.ts'
import {
  afterSwitch,
  back,
  canClose,
  networkRoute,
  push,
  type RouterContext,
  replace,
  startRoute,
  top,
} from '../packages/core/src/modal/router.ts'
import { route, type Stack, type ViewName } from '../packages/core/src/modal/views.ts'
import { openPage, viewsOf } from './page.ts'

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
  test('the specified views have their names, and the URL is not involved [R2.1]', async () => {
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
    for (const view of specified) expect(startRoute(calm, { view, data: undefined } as never).view).toBe(view)
  })

  test('a view that is not implemented is unreachable and logs a message [R2.1]', async () => {
    const { latchkey } = await openPage()
    latchkey.modal.open()
    latchkey.modal.push('RegisterAccountName')
    expect(viewsOf(latchkey)).toEqual(['Connect'])
    expect(latchkey.log.entries().some(({ text }) => text.includes('RegisterAccountName'))).toBe(true)
    expect(builtViews).not.toContain('RegisterAccountName')
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
      'replacing a view by itself does nothing',
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

  test('reset leaves one view with its data [R2.2]', async () => {
    const { latchkey } = await openPage()
    latchkey.modal.open()
    latchkey.modal.push('AllWallets')
    latchkey.modal.reset('SwitchNetwork', { network: 'eip155:10' })
    expect(latchkey.state.get().modal.stack).toEqual([route('SwitchNetwork', { network: 'eip155:10' })])
  })

  test('replace by the same view keeps the data [R2.2]', async () => {
    const first: Stack = [route('SwitchNetwork', { network: 'eip155:10' })]
    expect(top(replace(first, route('SwitchNetwork', { network: 'eip155:1' }))).data).toEqual({ network: 'eip155:10' })
  })

  test('back goes one view at a time, however deep the stack is [R2.2]', async () => {
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

  test('back closes when one view remains, or when UnsupportedChain is in the history [R2.9]', async () => {
    expect(back(stack('Networks'))).toBeUndefined()
    expect(back(stack('UnsupportedChain', 'Networks'))).toBeUndefined()
    const { latchkey } = await openPage()
    latchkey.modal.open({ view: route('Networks') })
    latchkey.modal.back()
    expect(latchkey.state.get().modal.open).toBe(false)
  })

  test('back to Connect shows the account if the user is connected [R2.9]', async () => {
    expect(names(back(stack('Connect', 'Networks'), { connected: true }))).toEqual(['Account'])
  })
})

describe('opening', () => {
  const asked = route('Networks')
  test.each<[string, Partial<RouterContext>, typeof asked | undefined, ViewName]>([
    ['no adapters and no address, on desktop', { adapters: 0 }, undefined, 'ConnectingWalletConnectBasic'],
    ['no adapters and no address, on a phone', { adapters: 0, mobile: true }, undefined, 'AllWallets'],
    ['manual control, even if a view is requested', { manual: true }, asked, 'ConnectingWalletConnectBasic'],
    ['manual control on a phone', { manual: true, mobile: true }, asked, 'AllWallets'],
  ])('the modal opens with WalletConnect: %s [R2.3]', async (_, now, wanted, view) => {
    expect(startRoute({ ...calm, ...now }, wanted).view).toBe(view)
  })

  test('a requested view takes precedence over the account, with its data [R2.4]', async () => {
    const { latchkey, connect } = await openPage()
    await connect()
    latchkey.modal.open({ view: route('SwitchNetwork', { network: 'eip155:10' }) })
    expect(latchkey.state.get().modal.stack).toEqual([route('SwitchNetwork', { network: 'eip155:10' })])
  })

  test('without a requested view, it opens Account if connected, otherwise Connect [R2.5]', async () => {
    const { latchkey, connect } = await openPage()
    latchkey.modal.open()
    expect(viewsOf(latchkey)).toEqual(['Connect'])
    latchkey.modal.close()
    await connect()
    latchkey.modal.open()
    expect(viewsOf(latchkey)).toEqual(['Account'])
  })

  test('without adapters, a connected address opens the account [R2.3, R2.5]', async () => {
    expect(startRoute({ ...calm, adapters: 0, connected: true }).view).toBe('Account')
  })
})

describe('closing', () => {
  test('an approval keeps the modal open unless closing is forced [R2.6]', async () => {
    const approval = route('ApproveTransaction', { requestId: '1' })
    expect(canClose(approval, calm, { forced: false })).toBe(false)
    expect(canClose(approval, calm, { forced: true })).toBe(true)
  })

  test('embedded, closing navigates to Account if connected, otherwise to Connect [R2.7]', async () => {
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

  test.each<[RouterContext['signIn'], boolean, boolean]>([
    ['required', false, false],
    ['required', true, true],
    ['optional', false, true],
  ])('sign-in %s, signed in %s: can close is %s [R2.8]', async (signIn, signedIn, expected) => {
    expect(canClose(route('SIWXSignMessage'), { signIn, signedIn }, { forced: false })).toBe(expected)
  })

  test.each([
    ['desktop', 'ConnectingWalletConnectBasic'],
    ['mobile', 'AllWallets'],
  ] as const)(
    'with manual WalletConnect control on %s, the modal opens with %s, connected or not, regardless of the requested view [R2.3]',
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

  test('on an unsupported chain the modal can be closed, and back closes it [R2.9]', async () => {
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
    connected: (each: string) => each === 'eip155',
  } as const
  test.each<[string, Partial<Parameters<typeof networkRoute>[0]>, ViewName | undefined]>([
    ['the active network opens no view', { target: 'eip155:1' }, undefined],
    ['another network of the same family switches', { target: 'eip155:10' }, 'SwitchNetwork'],
    ['another family without a connection asks first', {}, 'SwitchActiveChain'],
    ['another family with a connection switches', { connected: () => true }, 'SwitchNetwork'],
    ['without any connection, any network switches', { connected: () => false }, 'SwitchNetwork'],
    ['the embedded wallet follows to Solana', { embeddedWallet: true }, 'SwitchNetwork'],
    [
      'the embedded wallet does not follow to Bitcoin',
      { embeddedWallet: true, target: 'bip122:x' },
      'SwitchActiveChain',
    ],
  ])('%s [R2.2]', async (_, change, view) => {
    expect(networkRoute({ ...now, ...change })?.view).toBe(view)
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
