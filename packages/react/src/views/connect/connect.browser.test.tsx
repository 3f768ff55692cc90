import type { ConnectorInfo, LatchkeyOptions, State } from '@latchkey/core'
import { fakeClock, fakeDirectory, fakeFailure } from '@latchkey/core/testing'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react'
import { createChunkLoader } from '../../chunkLoader.ts'
import { axeFindings } from '../../testing/axe.ts'
import { button, callsTo, renderView } from '../testing/renderView.tsx'
import { announcedConnectors, server, wallets, withConnection, withConnectors } from '../testing/samples.ts'
import { AllWallets } from './AllWallets.tsx'
import { Connect } from './Connect.tsx'
import { ConnectingExternal } from './ConnectingExternal.tsx'
import { ConnectingMultiChain } from './ConnectingMultiChain.tsx'
import { ConnectWallets } from './ConnectWallets.tsx'
import { Downloads } from './Downloads.tsx'
import { GetWallet } from './GetWallet.tsx'
import { LazyLoginMethod, LoginMethodLoaderContext } from './LazyLoginMethod.tsx'
import { WhatIsAWallet } from './WhatIsAWallet.tsx'

const marlin = { connectorId: 'example.marlin', namespace: 'eip155' } as const
const down = fakeFailure('http/unreachable', { url: 'https://connect.example' })
const relayed: ConnectorInfo = {
  id: 'walletConnect',
  name: 'WalletConnect',
  type: 'WALLET_CONNECT',
  namespace: 'eip155',
}
const never = new Promise<never>(() => undefined)

afterEach(async () => {
  await cleanup()
})

describe('Connect', () => {
  test('shows installed wallets first, then the “All wallets” row with the exact count [R3.2]', async () => {
    const latchkey = await renderView(Connect, undefined, {
      options: server,
      state: withConnectors,
      directory: fakeDirectory({ wallets: wallets(512) }),
    })
    await expect.element(page.getByRole('heading', { level: 2, name: 'Connect a wallet' })).toBeVisible()
    await expect.element(button('All wallets 512')).toBeVisible()
    const rows = page
      .getByRole('listitem')
      .elements()
      .map((row) => row.textContent)
    expect(rows).toEqual(['MarlinInstalled', 'HearthInstalled', 'All wallets512'])
    await button(/Marlin/).click()
    expect(callsTo(latchkey.calls, 'pickWallet')).toEqual([
      ['pickWallet', expect.objectContaining({ id: marlin.connectorId })],
    ])
    expect(await axeFindings()).toEqual([])
  })

  test('omits the “All wallets” row if the directory lists no wallets for the app’s networks', async () => {
    const directory = fakeDirectory({ wallets: [] })
    await renderView(Connect, undefined, { options: server, state: withConnectors, directory })
    await expect.element(button(/Marlin/)).toBeVisible()
    await expect.poll(() => directory.state.get().pages.value?.count).toBe(0)
    await expect.element(button(/^All wallets/)).not.toBeInTheDocument()
  })

  test.each<[string, LatchkeyOptions, readonly ConnectorInfo[]]>([
    ['the app’s own wallets', { ...server, customWallets: wallets(1) }, announcedConnectors],
    ['the QR code on phones', { ...server, platform: 'mobile' }, [relayed]],
  ])(
    'with an empty directory, the “All wallets” row stays if it leads to %s, without a count',
    async (_, options, connectors) => {
      const directory = fakeDirectory({ wallets: [] })
      await renderView(Connect, undefined, {
        options,
        state: (initialState) => ({ ...initialState, ready: true, wallets: { ...initialState.wallets, connectors } }),
        directory,
      })
      await expect.poll(() => directory.state.get().pages.value?.count).toBe(0)
      await expect.element(button(/^All wallets$/)).toBeVisible()
    },
  )

  test('omits email and social login if they are not available, even if they come first in connectMethodsOrder [R9.11]', async () => {
    await renderView(Connect, undefined, {
      options: { connectMethodsOrder: ['social', 'email', 'wallet'] },
      state: withConnectors,
    })
    await expect.element(button(/Marlin/)).toBeVisible()
    expect(page.getByRole('textbox').elements()).toEqual([])
    expect(page.getByText('or', { exact: true }).elements()).toEqual([])
  })

  test('explains what a wallet is and where to get one if there are no wallets', async () => {
    const latchkey = await renderView(Connect, undefined)
    await expect.element(page.getByText('No wallet in this browser')).toBeVisible()
    await button('Get a wallet').click()
    expect(callsTo(latchkey.calls, 'push')).toEqual([['push', 'GetWallet', undefined]])
    expect(await axeFindings()).toEqual([])
  })

  test('marks a recent wallet as recent and a connected wallet as connected [R3.11]', async () => {
    await renderView(Connect, undefined, {
      state: (initialState) => {
        const now = withConnection(initialState)
        return { ...now, wallets: { ...now.wallets, recent: [{ id: 'x', name: 'Hearth', rdns: 'example.hearth' }] } }
      },
    })
    await expect.element(button('Marlin Connected')).toBeVisible()
    await expect.element(button('Hearth Recent')).toBeVisible()
  })

  test('shows recent wallets after the available ones, and fills the list with recommended wallets [R3.11]', async () => {
    const recent = [{ id: 'w2', name: 'Wallet 2', image_id: 'picture-2', mobile_link: 'w2:' }]
    const pixel = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
    const latchkey = await renderView(Connect, undefined, {
      options: { ...server, platform: 'desktop' },
      state: (initialState) => {
        const now = withConnectors(initialState)
        const connectors = [...announcedConnectors.slice(0, 1), relayed]
        return { ...now, wallets: { ...now.wallets, connectors, recent } }
      },
      directory: {
        ...fakeDirectory({ wallets: wallets(3) }),
        walletImage: async ({ image_id }) => (image_id === 'picture-2' ? pixel : undefined),
      },
    })
    await expect.element(button('Wallet 2 Recent')).toBeVisible()
    await expect.poll(() => button('Wallet 2 Recent').element().querySelector('img')?.getAttribute('src')).toBe(pixel)
    const rows = () =>
      page
        .getByRole('listitem')
        .elements()
        .map((row) => row.textContent)
    expect(rows()).toEqual(['MarlinInstalled', 'WalletConnectQR code', 'Wallet 2Recent', 'All wallets3'])
    await button('Wallet 2 Recent').click()
    expect(callsTo(latchkey.calls, 'pickWallet')).toEqual([['pickWallet', recent[0]]])
    latchkey.state.set({
      ...latchkey.state.get(),
      wallets: { ...latchkey.state.get().wallets, recent: [] },
    })
    await expect.element(button('Wallet 0')).toBeVisible()
    expect(rows()).toEqual(['MarlinInstalled', 'WalletConnectQR code', 'Wallet 0', 'All wallets3'])
    expect(await axeFindings()).toEqual([])
  })

  test.each([
    ['requests recommended wallets if there is room for them', announcedConnectors.slice(0, 1), ['Wallet 0']],
    ['requests no recommended wallets if there is no room for them', announcedConnectors, undefined],
  ])('%s', async (_, announced, recommended) => {
    const directory = fakeDirectory({ wallets: wallets(1) })
    await renderView(Connect, undefined, {
      options: { ...server, platform: 'desktop' },
      state(initialState) {
        const now = withConnectors(initialState)
        return { ...now, wallets: { ...now.wallets, connectors: [...announced, relayed] } }
      },
      directory,
    })
    await expect.element(button('All wallets 1')).toBeVisible()
    await expect.poll(() => directory.state.get().featured.status).toBe('ready')
    expect(directory.state.get().recommended.value?.map(({ name }) => name)).toEqual(recommended)
  })

  test('shows placeholders while recommended wallets load, and no placeholders if the directory is down', async () => {
    const relay = (initialState: State): State => ({
      ...withConnectors(initialState),
      wallets: { ...initialState.wallets, connectors: [relayed] },
    })
    const options = { ...server, platform: 'desktop' } as const
    await renderView(Connect, undefined, {
      options,
      state: relay,
      directory: fakeDirectory({ wallets: [], silent: true }),
    })
    await expect.element(button(/^WalletConnect/)).toBeVisible()
    await expect.poll(() => document.querySelectorAll('.skeleton').length).toBe(2)
    await cleanup()
    await renderView(Connect, undefined, {
      options,
      state: relay,
      directory: fakeDirectory({ wallets: [], fails: down }),
    })
    await expect.element(button(/^WalletConnect/)).toBeVisible()
    await expect.poll(() => document.querySelectorAll('.skeleton').length).toBe(0)
  })

  test('shows a single row that opens the list of wallets if collapseWallets is set', async () => {
    const latchkey = await renderView(Connect, undefined, {
      options: { features: { collapseWallets: true } },
      state: withConnectors,
    })
    await button('Continue with a wallet').click()
    expect(latchkey.state.get().modal.stack.map(({ view }) => view)).toEqual(['Connect', 'ConnectWallets'])
    expect(button(/Marlin/).elements()).toEqual([])
  })

  test('links to the terms and the privacy policy in the legal notice', async () => {
    await renderView(Connect, undefined, {
      options: { termsUrl: 'https://app.example/terms', privacyUrl: 'https://app.example/privacy' },
      state: withConnectors,
    })
    const terms = page.getByRole('link', { name: 'Terms of Service' })
    await expect.element(terms).toHaveAttribute('href', 'https://app.example/terms')
    await expect
      .element(page.getByRole('link', { name: 'Privacy Policy' }))
      .toHaveAttribute('rel', 'noopener noreferrer')
  })
})

describe('the legal notice', () => {
  const notice = () => page.getByText(/^By connecting you agree/)

  test.each([
    [
      'the terms and the privacy policy',
      { termsUrl: 'https://app.example/terms', privacyUrl: '/privacy' },
      'By connecting you agree to the Terms of Service and the Privacy Policy.',
    ],
    ['only the terms', { termsUrl: '/terms' }, 'By connecting you agree to the Terms of Service.'],
    ['only the privacy policy', { privacyUrl: '/privacy' }, 'By connecting you agree to the Privacy Policy.'],
  ])('names %s', async (_, options, sentence) => {
    await renderView(Connect, undefined, { options, state: withConnectors })
    await expect.element(notice()).toHaveTextContent(sentence)
    const links = page.getByRole('link').elements()
    expect(links.map((link) => link.getAttribute('href'))).toEqual(Object.values(options))
  })

  test('is omitted if the host has no legal pages', async () => {
    await renderView(Connect, undefined, { state: withConnectors })
    await expect.element(button(/Marlin/)).toBeVisible()
    expect(notice().elements()).toEqual([])
  })

  test('does not link to a URL whose scheme is not http or https', async () => {
    const options = { termsUrl: 'javascript:alert(1)', privacyUrl: 'data:text/html,x' }
    await renderView(Connect, undefined, { options, state: withConnectors })
    await expect.element(notice()).toHaveTextContent('Terms of Service and the Privacy Policy')
    expect(page.getByRole('link').elements()).toEqual([])
  })
})

describe('consent', () => {
  test.each([
    [
      { termsUrl: 'https://app.example/terms', privacyUrl: 'https://app.example/privacy' },
      'I agree to the Terms of Service and the Privacy Policy',
    ],
    [{ privacyUrl: 'https://app.example/privacy' }, 'I agree to the Privacy Policy'],
  ])('the checkbox names the legal pages of the host: %o', async (pages, name) => {
    await renderView(Connect, undefined, {
      options: { ...pages, features: { legalCheckbox: true } },
      state: withConnectors,
    })
    const box = page.getByRole('checkbox', { name, exact: true })
    await expect.element(page.getByText('Agree first, then choose how to connect.')).toBeVisible()
    // The notice is omitted, because it would repeat the label of the checkbox.
    expect(page.getByText(/^By connecting you agree/).elements()).toEqual([])
    await box.click()
    await expect.element(box).toBeChecked()
    expect(page.getByText('Agree first, then choose how to connect.').elements()).toEqual([])
    await expect.element(button(/Marlin/)).toBeEnabled()
    await box.click()
    await expect.element(button(/Marlin/)).toBeDisabled()
  })

  const options = { ...server, termsUrl: 'https://app.example/terms', features: { legalCheckbox: true } }

  test('keyboard input cannot select a wallet before the checkbox is checked', async () => {
    const latchkey = await renderView(Connect, undefined, {
      options,
      state: withConnectors,
      directory: fakeDirectory({ wallets: wallets(3) }),
      slots: { connectRows: [{ key: 'guest', label: 'Guest', onClick: () => expect.unreachable() }] },
    })
    const box = page.getByRole('checkbox', { name: 'I agree to the Terms of Service' })
    await expect.element(box).toBeVisible()
    for (let press = 0; press < 12; press++) {
      await userEvent.keyboard('{Tab}')
      // Enter and Space are only pressed on buttons, so that the checkbox and the link in its label are not activated.
      if (document.activeElement instanceof HTMLButtonElement) await userEvent.keyboard('{Enter}{ }')
    }
    for (const row of page.getByRole('button').elements()) expect(row).toBeDisabled()
    expect(latchkey.calls.filter(([name]) => name === 'push' || name === 'connect' || name === 'pickWallet')).toEqual(
      [],
    )

    await box.click()
    await expect.element(button(/Marlin/)).toBeEnabled()
    await button(/Marlin/).click()
    expect(callsTo(latchkey.calls, 'pickWallet')).toHaveLength(1)
    expect(await axeFindings()).toEqual([])
  })

  test('ConnectWallets and AllWallets are blocked until the user consents', async () => {
    await renderView(ConnectWallets, undefined, { options, state: withConnectors })
    await expect.element(button(/Marlin/)).toBeDisabled()
    const latchkey = await renderView(AllWallets, undefined, {
      options,
      state: withConnectors,
      directory: fakeDirectory({ wallets: wallets(3) }),
    })
    const tile = button('Wallet 1')
    await expect.element(tile).toHaveAttribute('aria-disabled', 'true')
    // A disabled tile can still be focused and read by screen readers, but clicking it does nothing.
    ;(tile.element() as HTMLElement).focus()
    await userEvent.keyboard('{Enter}{ }')
    expect(callsTo(latchkey.calls, 'pickWallet')).toEqual([])
  })

  test('ConnectingExternal requires consent if it is opened directly', async () => {
    const latchkey = await renderView(ConnectingExternal, marlin, {
      options,
      state: withConnectors,
      connect: () => never,
    })
    const box = page.getByRole('checkbox', { name: 'I agree to the Terms of Service' })
    await expect.element(box).toBeVisible()
    expect(callsTo(latchkey.calls, 'connect')).toEqual([])
    expect(await axeFindings()).toEqual([])
    await box.click()
    await expect.poll(() => callsTo(latchkey.calls, 'connect')).toHaveLength(1)
  })

  test('the host’s custom groups are blocked until the user consents', async () => {
    await renderView(Connect, undefined, {
      options,
      state: withConnectors,
      slots: { connectGroups: [{ key: 'g', label: 'More', rows: [{ key: 'r', label: 'Guest', onClick: () => {} }] }] },
    })
    await expect.element(button('Guest')).toBeDisabled()
  })

  test('the checkbox is only shown if the host has terms or a privacy policy', async () => {
    await renderView(Connect, undefined, { options: { features: { legalCheckbox: true } }, state: withConnectors })
    await expect.element(button(/Marlin/)).toBeEnabled()
    expect(page.getByRole('checkbox').elements()).toEqual([])
  })
})

describe('AllWallets', () => {
  test('shows installed wallets first, then the directory, and renders only a few of ten thousand tiles [R3.2]', async () => {
    await renderView(AllWallets, undefined, {
      options: server,
      state: withConnectors,
      directory: fakeDirectory({ wallets: wallets(10_000), pageSize: 10_000 }),
    })
    await expect.element(button('Wallet 0')).toBeVisible()
    const names = page
      .getByRole('button')
      .elements()
      .map((tile) => tile.textContent)
    expect(names.slice(0, 2)).toEqual(['MarlinInstalled', 'HearthInstalled'])
    expect(names.length).toBeLessThan(60)
    await expect.element(page.getByText('10,002 wallets')).toBeInTheDocument()
    expect(await axeFindings()).toEqual([])
  })

  test.each([
    ['ANNOUNCED', 'OtterInstalled'],
    ['INJECTED', 'OtterInstalled'],
    ['EXTERNAL', 'Otter'],
  ] as const)('a wallet of type %s is listed as "%s" in Connect and AllWallets [R3.2]', async (type, row) => {
    const setup = {
      options: server,
      state: (initialState: State): State => {
        const now = withConnectors(initialState)
        const connectors = [{ id: 'otter', name: 'Otter', type, namespace: 'eip155' }] as const
        return { ...now, wallets: { ...now.wallets, connectors } }
      },
      directory: fakeDirectory({ wallets: [] }),
    }
    const first = (role: 'listitem' | 'button') => page.getByRole(role).elements()[0]?.textContent
    await renderView(Connect, undefined, setup)
    await expect.poll(() => first('listitem')).toBe(row)
    await renderView(AllWallets, undefined, setup)
    await expect.poll(() => first('button')).toBe(row)
  })

  test('a directory wallet that has the same rdns as an announced wallet is listed once, as installed, before the other wallets [R3.2]', async () => {
    const listed = [...wallets(2), { id: 'm', name: 'Marlin in the directory', rdns: 'example.marlin' }]
    await renderView(AllWallets, undefined, {
      options: server,
      state: withConnectors,
      directory: fakeDirectory({ wallets: listed }),
    })
    const tiles = () =>
      page
        .getByRole('button')
        .elements()
        .map((tile) => tile.textContent)
    await expect.poll(tiles).toEqual(['MarlinInstalled', 'HearthInstalled', 'Wallet 0', 'Wallet 1'])
  })

  test('the search text is trimmed and debounced [R5.9] [R9.15]', async () => {
    const clock = fakeClock()
    const directory = fakeDirectory({ wallets: wallets(30) })
    const searched: string[] = []
    await renderView(AllWallets, undefined, {
      options: { ...server, clock },
      directory: {
        ...directory,
        search(text) {
          searched.push(text)
          return directory.search(text)
        },
      },
    })
    const field = page.getByRole('textbox', { name: 'Search wallets' })
    await field.fill('  wallet 2')
    await field.fill('  wallet 21  ')
    await clock.pass(499)
    expect(searched.filter(Boolean)).toEqual([])
    await clock.pass(1)
    await expect.poll(() => searched.filter(Boolean)).toEqual(['wallet 21'])
    await expect.element(button('Wallet 21')).toBeVisible()
    expect(button('Wallet 20').elements()).toEqual([])
    await button('Clear search').click()
    await expect.element(button('Wallet 20')).toBeInTheDocument()
    await expect.element(field).toHaveFocus()
  })

  test('a search first shows matches from the loaded pages, and then adds the results from the server', async () => {
    const clock = fakeClock()
    await renderView(AllWallets, undefined, {
      options: { ...server, clock },
      state: withConnectors,
      directory: fakeDirectory({ wallets: wallets(60), pageSize: 40 }),
    })
    await expect.element(button('Wallet 9')).toBeVisible()
    const tiles = () =>
      page
        .getByRole('button', { name: /Wallet|Marlin|Hearth/ })
        .elements()
        .map((tile) => tile.textContent)
    await page.getByRole('textbox', { name: 'Search wallets' }).fill('WALLET 1')
    const loaded = ['Wallet 1', ...Array.from({ length: 10 }, (_, at) => `Wallet 1${at}`)]
    await expect.poll(tiles).toEqual(loaded)
    await page.getByRole('textbox', { name: 'Search wallets' }).fill('wallet 4')
    await expect.poll(tiles).toEqual(['Wallet 4'])
    await clock.pass(500)
    await expect.poll(tiles).toEqual(['Wallet 4', ...Array.from({ length: 10 }, (_, at) => `Wallet 4${at}`)])
  })

  test('a search shows its first matches, even if the list was scrolled down', async () => {
    await renderView(AllWallets, undefined, {
      options: server,
      directory: fakeDirectory({ wallets: wallets(400), pageSize: 400 }),
    })
    await expect.element(button('Wallet 0')).toBeVisible()
    const list = page.getByRole('list', { name: 'All wallets' }).element().closest('.virtual') as HTMLElement
    list.scrollTop = 5_000
    await expect.element(button('Wallet 0')).not.toBeInTheDocument()
    await page.getByRole('textbox', { name: 'Search wallets' }).fill('wallet')
    await expect.element(button('Wallet 0')).toBeVisible()
  })

  test.each(['\u00a0', '\u2003', '\u3000', '\ufeff', '\t'])(
    'whitespace such as %j is trimmed from the search text [R5.9]',
    async (space) => {
      const clock = fakeClock()
      const directory = fakeDirectory({ wallets: wallets(3) })
      const searched: string[] = []
      await renderView(AllWallets, undefined, {
        options: { ...server, clock },
        state: withConnectors,
        directory: {
          ...directory,
          search(text) {
            searched.push(text)
            return directory.search(text)
          },
        },
      })
      const field = page.getByRole('textbox', { name: 'Search wallets' })
      await field.fill(space)
      await clock.pass(500)
      await expect.element(button('Wallet 1')).toBeVisible()
      expect(searched.filter((text) => text !== '')).toEqual([])
      await field.fill(`${space}marl${space}`)
      await clock.pass(500)
      await expect.element(button(/Marlin/)).toBeVisible()
      await expect.poll(() => searched.filter((text) => text !== '')).toEqual(['marl'])
    },
  )

  test('spaces around the search text do not hide installed wallets, and a search for only spaces is ignored [R5.9]', async () => {
    const clock = fakeClock()
    const directory = fakeDirectory({ wallets: wallets(3) })
    const searched: string[] = []
    await renderView(AllWallets, undefined, {
      options: { ...server, clock },
      state: withConnectors,
      directory: {
        ...directory,
        search(text) {
          searched.push(text)
          return directory.search(text)
        },
      },
    })
    const field = page.getByRole('textbox', { name: 'Search wallets' })
    await field.fill('   ')
    await clock.pass(500)
    await expect.element(button('Wallet 1')).toBeVisible()
    expect(searched.filter((text) => text !== '')).toEqual([])
    await field.fill('  marl ')
    await clock.pass(500)
    await expect.element(button(/Hearth/)).not.toBeInTheDocument()
    await expect.element(button(/Marlin/)).toBeVisible()
  })

  test('shows a message with the search text if there are no results', async () => {
    await renderView(AllWallets, undefined, { options: server, directory: fakeDirectory({ wallets: wallets(3) }) })
    await page.getByRole('textbox').fill('zzz')
    await expect.element(page.getByText('Nothing matches “zzz”.', { exact: false })).toBeVisible()
  })

  test('shows an error and a retry button during a directory outage', async () => {
    const directory = fakeDirectory({ wallets: wallets(3), fails: down })
    let pages = 0
    await renderView(AllWallets, undefined, {
      options: server,
      state: withConnectors,
      directory: {
        ...directory,
        nextPage() {
          pages++
          return directory.nextPage()
        },
      },
    })
    await expect.element(page.getByRole('alert')).toHaveTextContent('The server did not respond.')
    // Installed wallets are still available.
    await expect.element(button(/Marlin/)).toBeVisible()
    const before = pages
    await button('Try again').click()
    expect(pages).toBe(before + 1)
    expect(await axeFindings()).toEqual([])
  })

  test('directory wallets that reuse the names or IDs of available wallets do not replace them', async () => {
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
    const reservedIds = ['here example.marlin', 'all', 'coming', 'eip155 example.marlin', '__proto__', 'constructor']
    const directory = fakeDirectory({
      wallets: [
        ...reservedIds.map((id) => ({ id, name: `Wallet ${id}`, chains: ['eip155:1'] })),
        { id: 'look', name: 'Мarlin', rdns: 'com.other', chains: ['eip155:1'] },
      ],
    })
    await renderView(AllWallets, undefined, { options: server, state: withConnectors, directory })
    for (const id of reservedIds) await expect.element(button(`Wallet ${id}`)).toBeVisible()
    await expect.element(button('Мarlin (com.other)')).toBeVisible()
    await cleanup()
    const recent = ['all', 'eip155 example.marlin'].map((id) => ({ id, name: `Recent ${id}`, mobile_link: 'x:' }))
    await renderView(Connect, undefined, {
      options: { ...server, platform: 'desktop' },
      state: (initialState) => {
        const now = withConnectors(initialState)
        return {
          ...now,
          wallets: { ...now.wallets, connectors: [...announcedConnectors.slice(0, 1), relayed], recent },
        }
      },
      directory,
    })
    for (const { name } of recent) await expect.element(button(new RegExp(`^${name}`))).toBeVisible()
    await expect.element(button(/^All wallets/)).toBeVisible()
    // React logs an error for duplicate keys.
    expect(errors.mock.calls).toEqual([])
    errors.mockRestore()
  })

  test('a wallet that is not installed can be chosen like any other wallet [R1.1]', async () => {
    const latchkey = await renderView(AllWallets, undefined, {
      options: server,
      directory: fakeDirectory({ wallets: wallets(3) }),
    })
    await button('Wallet 1').click()
    expect(callsTo(latchkey.calls, 'pickWallet')).toEqual([['pickWallet', wallets(3)[1]]])
  })
})

describe('ConnectingExternal', () => {
  test('sends a single request to the wallet, even in Strict Mode, and waits for the response [R4.3] [R1.1]', async () => {
    const latchkey = await renderView(ConnectingExternal, marlin, { state: withConnectors, connect: () => never })
    await expect.element(page.getByRole('heading', { level: 2, name: 'Marlin' })).toBeVisible()
    await expect.element(page.getByRole('status')).toHaveTextContent('Continue in Marlin')
    expect(callsTo(latchkey.calls, 'connect')).toHaveLength(1)
    expect(await axeFindings()).toEqual([])
  })

  test('after ten seconds, shows a hint and a retry button', async () => {
    const clock = fakeClock()
    const latchkey = await renderView(ConnectingExternal, marlin, {
      options: { clock },
      state: withConnectors,
      connect: () => never,
    })
    await expect.element(page.getByText('Accept the request in Marlin to connect.')).toBeVisible()
    await clock.pass(10_000)
    await expect.element(page.getByText(/may be behind this one/)).toBeVisible()
    await button('Try again').click()
    await expect.poll(() => callsTo(latchkey.calls, 'connect')).toHaveLength(2)
  })

  test('cancels the request when the user leaves the view', async () => {
    let left: AbortSignal | undefined
    await renderView(ConnectingExternal, marlin, {
      state: withConnectors,
      connect: ({ signal }) => {
        left = signal
        return never
      },
    })
    await expect.poll(() => left?.aborted).toBe(false)
    await cleanup()
    expect(left?.aborted).toBe(true)
  })

  test.each([
    ['user/rejected', { request: 'connect' }, 'You declined', 'Marlin shared nothing with this app.'],
    [
      'wallet/unresponsive',
      { connectorId: 'x' },
      'Marlin is not responding',
      'Unlock Marlin or restart it, then try again.',
    ],
    ['wallet/busy', { connectorId: 'x' }, 'A request is already open', /finish the request there/],
    ['wallet/not-found', { connectorId: 'x' }, 'Marlin was not found', /Install or enable it/],
    ['network/unsupported', { chain: 'eip155:5' }, 'Wrong network', /Change it in Marlin/],
    ['wallet/failed', { message: 'keyring locked' }, 'Connection failed', 'The wallet reported: keyring locked'],
    ['unknown', { message: 'TypeError: x is undefined' }, 'Connection failed', 'Something went wrong.'],
  ] as const)('shows a specific message and a retry button for %s [R1.1]', async (code, details, title, body) => {
    let fail = true
    const latchkey = await renderView(ConnectingExternal, marlin, {
      state: withConnectors,
      connect: async () => {
        if (fail) throw fakeFailure(code, details as never)
        return never
      },
    })
    await expect.element(page.getByText(title)).toBeVisible()
    await expect.element(page.getByText(body)).toBeVisible()
    expect(await axeFindings()).toEqual([])
    fail = false
    await button('Try again').click()
    await expect.element(page.getByText('Continue in Marlin')).toBeVisible()
    expect(callsTo(latchkey.calls, 'connect')).toHaveLength(2)
    // The button keeps focus after it has been pressed.
    await expect.element(button('Try again')).toHaveFocus()
  })

  test('does not send a request to a wallet that is already connected', async () => {
    const latchkey = await renderView(ConnectingExternal, marlin, { state: withConnection })
    await expect.element(page.getByText('Already connected')).toBeVisible()
    await button('View account').click()
    expect(callsTo(latchkey.calls, 'connect')).toEqual([])
    expect(callsTo(latchkey.calls, 'reset')).toEqual([['reset', 'Account', undefined]])
  })
})

test('the user can choose which namespace of a wallet to connect [R1.1]', async () => {
  const latchkey = await renderView(
    ConnectingMultiChain,
    { name: 'Lantern' },
    {
      state: (initialState) => ({
        ...initialState,
        wallets: {
          ...initialState.wallets,
          connectors: (['eip155', 'solana'] as const).map((namespace) => ({
            id: 'l',
            name: 'Lantern',
            type: 'ANNOUNCED',
            namespace,
          })),
        },
      }),
    },
  )
  expect(await axeFindings()).toEqual([])
  const list = page.getByRole('list', { name: 'Choose a network' })
  await expect.element(list).toBeVisible()
  await expect.element(page.getByText(/^Lantern works with several kinds of networks/)).toBeVisible()
  expect(
    list
      .getByRole('button')
      .elements()
      .map((row) => row.textContent),
  ).toEqual(['Ethereum', 'Solana'])
  await button('Solana').click()
  expect(callsTo(latchkey.calls, 'push')).toEqual([
    ['push', 'ConnectingExternal', { connectorId: 'l', namespace: 'solana' }],
  ])
})

test('if the wallet has disappeared, ConnectingMultiChain says that it was not found', async () => {
  await renderView(ConnectingMultiChain, { name: 'Lantern' }, { state: withConnectors })
  await expect.element(page.getByText('Lantern was not found')).toBeVisible()
  expect(page.getByRole('listitem').elements()).toEqual([])
})

test('Downloads only links to HTTPS URLs, with rel="noopener noreferrer"', async () => {
  await renderView(Downloads, {
    wallet: {
      id: 'x',
      name: 'Quill',
      homepage: 'https://quill.example/',
      app_store: 'javascript:alert(1)',
      play_store: null,
    },
  })
  const links = page.getByRole('link').elements()
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['https://quill.example/'])
  expect(links[0]).toHaveAttribute('rel', 'noopener noreferrer')
  expect(await axeFindings()).toEqual([])
})

describe('Downloads', () => {
  const wallet = {
    id: 'x',
    name: 'Quill',
    homepage: 'https://quill.example/',
    chrome_store: 'https://extensions.example/quill',
    app_store: 'https://apps.example/quill',
  }
  const chromium =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'
  afterEach(() => vi.restoreAllMocks())
  const links = (): readonly (string | null)[] =>
    page
      .getByRole('link')
      .elements()
      .map((link) => link.getAttribute('href'))

  test('on a desktop, shows the extension first and omits mobile apps', async () => {
    await renderView(Downloads, { wallet }, { options: { platform: 'desktop' } })
    await expect.element(page.getByText('Install Quill, then come back and reload this page.')).toBeVisible()
    expect(links()).toEqual([wallet.chrome_store, wallet.homepage])
  })

  test.each([
    [
      'Firefox',
      'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      'https://firefox.example/quill',
    ],
    ['Edge', `${chromium} Edg/156.0.0.0`, 'https://edge.example/quill'],
    ['Chrome', chromium, wallet.chrome_store],
  ])('links to the extension for %s', async (_, userAgent, store) => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent)
    const stores = { firefox_store: 'https://firefox.example/quill', edge_store: 'https://edge.example/quill' }
    await renderView(Downloads, { wallet: { ...wallet, ...stores } }, { options: { platform: 'desktop' } })
    expect(links()).toEqual([store, wallet.homepage])
  })

  test.each([
    ['Firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', wallet.app_store],
    [
      'Safari',
      'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
      wallet.app_store,
    ],
    ['Edge', `${chromium} Edg/156.0.0.0`, wallet.chrome_store],
  ])('does not link to the Chrome Web Store unless %s can install from it', async (_, userAgent, link) => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent)
    await renderView(Downloads, { wallet }, { options: { platform: 'desktop' } })
    expect(links()).toEqual([link, wallet.homepage])
  })

  test('on a phone, tells the user to open this page in the mobile app, and omits extensions', async () => {
    await renderView(Downloads, { wallet }, { options: { platform: 'mobile' } })
    await expect.element(page.getByText(/open this page in the browser inside the app/)).toBeVisible()
    expect(links()).toEqual([wallet.app_store, wallet.homepage])
  })

  test('each link has a descriptive name, which says that it opens in a new tab', async () => {
    const everywhere = {
      ...wallet,
      play_store: 'https://play.example/quill',
      webapp_link: 'https://web.example/quill',
    }
    const rows = () =>
      page
        .getByRole('link')
        .elements()
        .map((link) => link.textContent)
    await renderView(Downloads, { wallet: everywhere }, { options: { platform: 'mobile' } })
    await expect.element(page.getByRole('list', { name: 'Get Quill' })).toBeVisible()
    const tab = '(opens in a new tab)'
    expect(rows()).toEqual([`App for iPhone ${tab}`, `App for Android ${tab}`, `Web app ${tab}`, `Website ${tab}`])
    // Each link has an icon at the start, and an icon at the end that marks it as an external link.
    for (const link of page.getByRole('link').elements())
      expect([...link.querySelectorAll('svg')].filter((icon) => icon.childElementCount > 0)).toHaveLength(2)
    await renderView(Downloads, { wallet: everywhere }, { options: { platform: 'desktop' } })
    await expect.element(page.getByText('Install Quill, then come back and reload this page.')).toBeVisible()
    expect(rows()).toEqual([`Browser extension ${tab}`, `Web app ${tab}`, `Website ${tab}`])
  })

  test('links to the wallet’s website if it has neither an extension nor an app', async () => {
    await renderView(Downloads, { wallet: { id: 'x', name: 'Quill', homepage: wallet.homepage } })
    await expect.element(page.getByText('Get Quill from its own website', { exact: false })).toBeVisible()
    expect(links()).toEqual([wallet.homepage])
  })

  test('offers to go back to the other wallets if there are no download links', async () => {
    const latchkey = await renderView(Downloads, { wallet: { id: 'x', name: 'Quill' } })
    await expect.element(page.getByText('No download link is available for Quill.')).toBeVisible()
    await button('Choose another wallet').click()
    expect(callsTo(latchkey.calls, 'back')).toHaveLength(1)
  })
})

test('GetWallet shows a short built-in list if no server is configured', async () => {
  const latchkey = await renderView(GetWallet, undefined)
  await button('MetaMask').click()
  expect(callsTo(latchkey.calls, 'push')[0]).toEqual([
    'push',
    'Downloads',
    { wallet: expect.objectContaining({ name: 'MetaMask' }) },
  ])
  expect(button('All wallets').elements()).toEqual([])
  expect(await axeFindings()).toEqual([])
})

test('GetWallet shows the built-in list if the directory is down, and a row that opens the list of all wallets', async () => {
  const latchkey = await renderView(GetWallet, undefined, {
    options: server,
    directory: fakeDirectory({ wallets: [], fails: down }),
  })
  await expect.element(button('MetaMask')).toBeVisible()
  await button('All wallets').click()
  expect(callsTo(latchkey.calls, 'push')).toEqual([['push', 'AllWallets', undefined]])
})

test('a login method that cannot be loaded is requested again only when the user clicks “Try again”', async () => {
  let loads = 0
  const load = () => {
    loads += 1
    return loads < 3
      ? Promise.reject(new Error('offline'))
      : Promise.resolve(({ method }: { readonly method: string }) => <p>Log in by {method}</p>)
  }
  const loader = createChunkLoader(load)
  await renderView(
    () => (
      <LoginMethodLoaderContext.Provider value={loader}>
        <LazyLoginMethod method="email" />
      </LoginMethodLoaderContext.Provider>
    ),
    undefined,
  )
  await button('Try again').click()
  await expect.poll(() => loads).toBe(2)
  await expect.element(button('Try again')).toBeVisible()
  expect(loads).toBe(2)
  await button('Try again').click()
  await expect.element(page.getByText('Log in by email')).toBeVisible()
})

test('WhatIsAWallet has a button that opens GetWallet', async () => {
  const latchkey = await renderView(WhatIsAWallet, undefined)
  expect(await axeFindings()).toEqual([])
  await button('Get a wallet').click()
  expect(callsTo(latchkey.calls, 'push')).toEqual([['push', 'GetWallet', undefined]])
})

test('Connect can be rendered in Arabic', async () => {
  await renderView(Connect, undefined, { locale: 'ar', state: withConnectors })
  await expect.element(page.getByRole('heading', { name: 'ربط محفظة' })).toBeVisible()
  expect(announcedConnectors).toHaveLength(2)
})
