import type { State } from '@latchkey/core'
import { fakeFailure } from '@latchkey/core/testing'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react'
import { axeFindings } from '../../testing/axe.ts'
import { button, callsTo, renderView } from '../testing/renderView.tsx'
import { address, announcedConnectors, withConnection, withConnectors } from '../testing/samples.ts'
import { Account } from './Account.tsx'
import { ProfileWallets } from './ProfileWallets.tsx'

const having = (state: State, value: bigint): State => ({
  ...state,
  account: { ...state.account, balance: { status: 'ready', value: { value, decimals: 18, symbol: 'ETH' } } },
})

afterEach(async () => {
  vi.restoreAllMocks()
  await cleanup()
})

describe('Account', () => {
  test('shows the account, its balance and its actions [R9.4] [R3.3] [R3.4]', async () => {
    const latchkey = await renderView(Account, undefined, {
      state: (initialState) => having(withConnection(initialState), 1_234_567_890_000_000_000n),
    })
    await expect.element(page.getByRole('heading', { level: 2, name: 'Account' })).toBeInTheDocument()
    await expect.element(page.getByText(/^1\.234\s*ETH$/)).toBeVisible()
    await expect
      .element(page.getByRole('link', { name: /Etherscan/ }))
      .toHaveAttribute('href', `https://etherscan.io/address/${address}`)
    expect(await axeFindings()).toEqual([])
    await button('Receive').click()
    expect(callsTo(latchkey.calls, 'push')).toEqual([['push', 'WalletReceive', undefined]])
  })

  test.each([
    [0n, '0.000'],
    [999_999_999_999_999n, '0.000'],
    [1_000_000_000_000_000n, '0.001'],
    [1_999_999_000_000_000_000n, '1.999'],
    [2_500_000_000_000_000_000n, '2.5'],
    [1_234_567_999_900_000_000_000_000n, '1,234,567.999'],
  ])('shows a balance of %i wei, rounded down to three decimal places, as %s [R9.4]', async (value, text) => {
    await renderView(Account, undefined, { state: (initialState) => having(withConnection(initialState), value) })
    await expect.poll(() => document.querySelector('.me-balance')?.textContent).toMatch(/ETH$/)
    const shown = document.querySelector('.me-balance')?.textContent?.replace(/^Balance/, '') ?? ''
    expect(shown.replace(/\s/g, '')).toBe(`${text}ETH`)
  })

  test('shortens the address in the middle, and shows the name instead if there is one [R9.4]', async () => {
    await renderView(Account, undefined, { state: withConnection })
    await expect.element(page.getByText('0x8ba1…BA72')).toBeVisible()
    expect(page.getByText(address).elements()).toEqual([])
    await renderView(Account, undefined, {
      state: (initialState) => {
        const now = withConnection(initialState)
        return { ...now, account: { ...now.account, identity: { status: 'ready', value: { name: 'ada.eth' } } } }
      },
    })
    await expect.element(page.getByText('ada.eth')).toBeVisible()
    expect(page.getByText('0x8ba1…BA72').elements()).toEqual([])
    await renderView(ProfileWallets, undefined, { state: withConnection })
    await expect.element(page.getByText('0x8ba1…BA72')).toBeVisible()
  })

  test('hides features that are disabled or need a server', async () => {
    const features = { receive: false, send: false }
    await renderView(Account, undefined, { options: { features }, state: withConnection })
    await expect.element(button('Disconnect')).toBeVisible()
    for (const name of ['Receive', 'Send', 'Swap', 'Buy', 'Activity']) expect(button(name).elements()).toEqual([])
  })

  test.each([
    ['not configured', {}, 0],
    ['off', { signIn: 'off' }, 0],
    ['optional', { signIn: 'optional' }, 1],
    ['required', { signIn: 'required' }, 1],
  ] as const)('with sign-in %s (%o), the number of settings rows is %i', async (_, options, rows) => {
    const latchkey = await renderView(Account, undefined, { options, state: withConnection })
    await expect.element(button('Disconnect')).toBeVisible()
    expect(button('Settings').elements()).toHaveLength(rows)
    if (rows === 0) return
    await button('Settings').click()
    expect(callsTo(latchkey.calls, 'push')).toEqual([['push', 'AccountSettings', undefined]])
  })

  test('the embedded wallet has settings, even without sign-in', async () => {
    await renderView(Account, undefined, {
      state: (initialState) => {
        const now = withConnection(initialState)
        const connectors = now.wallets.connectors.map((connector) => ({ ...connector, type: 'AUTH' as const }))
        return { ...now, wallets: { ...now.wallets, connectors } }
      },
    })
    await expect.element(button('Settings')).toBeVisible()
  })

  test('the wallets row is shown only if several wallets can be connected', async () => {
    const options = { multiWallet: true }
    const latchkey = await renderView(Account, undefined, { options, state: withConnection })
    await button(/^Wallets/).click()
    expect(callsTo(latchkey.calls, 'push')).toEqual([['push', 'ProfileWallets', undefined]])
    await renderView(Account, undefined, { state: withConnection })
    await expect.element(button('Disconnect')).toBeVisible()
    expect(button(/^Wallets/).elements()).toEqual([])
  })

  test.each([
    ['javascript:alert(1)//', undefined],
    ['https://user@evil.example/', undefined],
    ['https://scan.example///', `https://scan.example/address/${address}`],
    ['http://localhost:4000', `http://localhost:4000/address/${address}`],
  ])('if the explorer is at %s, the link points to %s', async (url, href) => {
    await renderView(Account, undefined, {
      state: (initialState) => {
        const now = withConnection(initialState)
        const known = now.networks.known.map((network) => ({
          ...network,
          blockExplorers: { default: { name: 'Scan', url } },
        }))
        return { ...now, networks: { ...now.networks, known } }
      },
    })
    await expect.element(button('Disconnect')).toBeVisible()
    const links = page.getByRole('link', { name: 'View on Scan' }).elements()
    expect(links.map((link) => link.getAttribute('href'))).toEqual(href === undefined ? [] : [href])
  })

  test('while the wallet is being checked, the button is busy, and it can be used again if the check fails', async () => {
    let fail = () => {}
    await renderView(Account, undefined, {
      state: (initialState) => withConnection(initialState, { health: 'silent' }),
      checkHealth: () =>
        new Promise((_, reject) => {
          fail = () => reject(new Error('offline'))
        }),
    })
    await button('Check again').click()
    await expect.element(button('Check again')).toHaveAttribute('aria-busy', 'true')
    fail()
    await expect.element(button('Check again')).not.toHaveAttribute('aria-busy')
  })

  test('shows the whole address if it cannot be copied', async () => {
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValueOnce(new DOMException('no', 'NotAllowedError'))
    await renderView(Account, undefined, { state: withConnection })
    await button('Copy address').click()
    await expect.element(page.getByText('Could not copy. Select the address and copy it yourself.')).toBeVisible()
    await expect.element(page.getByText(address, { exact: true })).toBeVisible()
    expect(button('Address copied').elements()).toEqual([])
  })

  test('shows a network row only if the modal’s header has no network button', async () => {
    const latchkey = await renderView(Account, undefined, { state: withConnection })
    await expect.element(button('Disconnect')).toBeVisible()
    expect(button(/^Network/).elements()).toEqual([])
    latchkey.modal.push('Networks')
    await button(/^Network/).click()
    expect(callsTo(latchkey.calls, 'push')).toHaveLength(2)
  })

  test('shows an error and a retry button if the balance fails to load', async () => {
    const latchkey = await renderView(Account, undefined, {
      state: (initialState) => ({
        ...withConnection(initialState),
        account: {
          balance: { status: 'failed', error: fakeFailure('balance/unavailable', undefined) },
          identity: { status: 'idle' },
        },
      }),
    })
    await expect.element(page.getByText('Could not load the balance')).toBeVisible()
    await button('Try again').click()
    expect(callsTo(latchkey.calls, 'refresh').at(-1)).toEqual(['refresh', { force: true }])
  })

  test('offers to check again if the wallet stops responding', async () => {
    const latchkey = await renderView(Account, undefined, {
      state: (initialState) => withConnection(initialState, { health: 'silent' }),
    })
    await expect.element(page.getByText('Marlin stopped responding')).toBeVisible()
    await button('Check again').click()
    expect(callsTo(latchkey.calls, 'checkHealth')).toHaveLength(1)
    expect(await axeFindings()).toEqual([])
  })

  test('keeps the account, shows a notice and offers to check again during an outage', async () => {
    const latchkey = await renderView(Account, undefined, {
      state: (initialState) => ({
        ...withConnectors(initialState),
        connections: {
          byNamespace: {
            eip155: {
              status: 'reconnecting',
              connectorId: 'example.marlin',
              accounts: [`eip155:1:${address}`],
              chain: 'eip155:1',
              error: fakeFailure('wallet/unreachable', { connectorId: 'example.marlin' }),
            },
          },
          others: [],
        },
      }),
    })
    await expect.element(page.getByText('Marlin cannot be reached')).toBeVisible()
    await expect.element(page.getByText(/^Your account stays connected/)).toBeVisible()
    await button('Check again').click()
    expect(callsTo(latchkey.calls, 'checkHealth')).toHaveLength(1)
    expect(await axeFindings()).toEqual([])
  })

  test('shows the account and a progress indicator while reconnecting', async () => {
    await renderView(Account, undefined, {
      state: (initialState) => ({
        ...withConnectors(initialState),
        connections: {
          byNamespace: {
            eip155: {
              status: 'reconnecting',
              connectorId: 'example.marlin',
              accounts: [`eip155:1:${address}`],
              chain: 'eip155:1',
            },
          },
          others: [],
        },
      }),
    })
    await expect.element(page.getByText('Reconnecting to Marlin…')).toBeVisible()
    expect(button('Receive').elements()).toEqual([])
    await expect.element(button('Disconnect')).toBeVisible()
  })

  test('shows an error and stays open if disconnecting fails', async () => {
    await renderView(Account, undefined, {
      state: withConnection,
      disconnect: async () => {
        throw fakeFailure('disconnect/failed', { message: 'no' })
      },
    })
    await button('Disconnect').click()
    await expect.element(page.getByRole('alert')).toHaveTextContent('Could not disconnect')
  })

  test('shows a connect button if no wallet is connected', async () => {
    const latchkey = await renderView(Account, undefined)
    await button('Connect a wallet').click()
    expect(callsTo(latchkey.calls, 'reset')).toEqual([['reset', 'Connect', undefined]])
    expect(await axeFindings()).toEqual([])
  })

  test('renders the host’s avatar and rows', async () => {
    const pressed = vi.fn()
    await renderView(Account, undefined, {
      state: withConnection,
      slots: {
        avatar: ({ size }) => <b>me at {size}</b>,
        accountRows: [{ key: 'o', label: 'My orders', onClick: pressed }],
      },
    })
    await expect.element(page.getByText('me at 72')).toBeVisible()
    await button('My orders').click()
    expect(pressed).toHaveBeenCalledOnce()
  })

  test('confirms that the address was copied only once it has been written to the clipboard', async () => {
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValueOnce()
    await renderView(Account, undefined, { state: withConnection })
    await button('Copy address').click()
    await expect.element(button('Address copied')).toBeVisible()
    expect(write).toHaveBeenCalledWith(address)
  })
})

describe('ProfileWallets', () => {
  const several = (initialState: State): State => {
    const now = withConnection(initialState)
    return {
      ...now,
      connections: {
        ...now.connections,
        others: [
          {
            namespace: 'eip155',
            connectorId: 'example.hearth',
            accounts: ['eip155:1:0x1aE0EA34a72D944a8C7603FfB3eC30a6669E454C'],
          },
        ],
      },
    }
  }

  test('lets the user switch to a different wallet, disconnect a wallet or disconnect all wallets', async () => {
    const latchkey = await renderView(ProfileWallets, undefined, { state: several })
    await expect.element(page.getByText('Active')).toBeVisible()
    expect(await axeFindings()).toEqual([])
    await button('Switch to Hearth').click()
    await button('Disconnect Hearth').click()
    expect(callsTo(latchkey.calls, 'activate')).toEqual([
      ['activate', { namespace: 'eip155', connectorId: 'example.hearth' }],
    ])
    expect(callsTo(latchkey.calls, 'disconnect')).toEqual([
      ['disconnect', { namespace: 'eip155', connectorId: 'example.hearth' }],
    ])
    await button('Disconnect all').click()
    expect(callsTo(latchkey.calls, 'disconnect').at(-1)).toEqual(['disconnect', undefined])
  })

  test('requires consent before connecting a recently used wallet', async () => {
    const latchkey = await renderView(ProfileWallets, undefined, {
      options: { termsUrl: 'https://app.example/terms', features: { legalCheckbox: true } },
      state: (initialState) => {
        const now = withConnection(initialState)
        return { ...now, wallets: { ...now.wallets, recent: [{ id: 'h', name: 'Hearth', rdns: 'example.hearth' }] } }
      },
    })
    await button(/Hearth/).click()
    expect(callsTo(latchkey.calls, 'push')).toEqual([['push', 'Connect', undefined]])
  })

  test('shows recently used wallets, and an empty state if no wallet is connected', async () => {
    await renderView(ProfileWallets, undefined, {
      state: (initialState) => {
        const now = withConnection(initialState)
        return { ...now, wallets: { ...now.wallets, recent: [{ id: 'h', name: 'Hearth', rdns: 'example.hearth' }] } }
      },
    })
    await expect.element(page.getByRole('heading', { name: 'Recently used' })).toBeVisible()
    await expect.element(button('Hearth')).toBeVisible()
    await renderView(ProfileWallets, undefined)
    await expect.element(page.getByText('No wallet connected')).toBeVisible()
    expect(page.getByRole('heading', { name: 'Connected' }).elements()).toEqual([])
    expect(await axeFindings()).toEqual([])
    expect(announcedConnectors).toHaveLength(2)
  })
})
