import { fakeDirectory, fakeFailure, fakeNetwork } from '@latchkey/core/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react'
import { axeFindings } from '../../testing/axe.ts'
import { button, callsTo, renderView } from '../testing/renderView.tsx'
import { withConnection, withConnectors } from '../testing/samples.ts'
import { Networks } from './Networks.tsx'
import { SwitchActiveChain } from './SwitchActiveChain.tsx'
import { SwitchNetwork } from './SwitchNetwork.tsx'
import { UnsupportedChain } from './UnsupportedChain.tsx'
import { WhatIsANetwork } from './WhatIsANetwork.tsx'

const base = { network: 'eip155:8453' } as const

const rows = () => [...document.querySelectorAll('li .row-label')].map(({ textContent }) => textContent)

afterEach(async () => {
  await cleanup()
})

describe('Networks', () => {
  test('lists the host’s networks, marks the active network and switches to the one the user chooses [R1.13]', async () => {
    const latchkey = await renderView(Networks, undefined, { state: withConnection })
    await expect.element(button('Ethereum Selected')).toHaveAttribute('aria-current', 'true')
    // The list contains exactly the host's networks, in the configured order.
    expect(rows()).toEqual(['Ethereum Selected', 'Optimism', 'Base'])
    expect(document.querySelectorAll('[aria-current]')).toHaveLength(1)
    expect(await axeFindings()).toEqual([])
    await button('Base').click()
    expect(callsTo(latchkey.calls, 'pickNetwork')).toEqual([['pickNetwork', 'eip155:8453']])
  })

  test('shows each network’s name and image, and marks test networks [R3.3] [R1.13]', async () => {
    const images: string[] = []
    const known = [
      fakeNetwork('eip155:1', { name: 'Ethereum', testnet: false, assets: { imageId: 'picture' } }),
      fakeNetwork('eip155:11155111', { name: 'Sepolia', testnet: true }),
      fakeNetwork('eip155:560048', { name: 'Hoodi', testnet: true }),
    ]
    await renderView(Networks, undefined, {
      options: { server: 'https://connect.example', projectId: 'p' },
      state: (initialState) => ({
        ...initialState,
        networks: { known, active: 'eip155:11155111', namespace: 'eip155' },
      }),
      directory: {
        ...fakeDirectory({ wallets: [] }),
        async image(kind, id) {
          images.push(`${kind} ${id}`)
          return 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
        },
      },
    })
    await expect.element(button('Ethereum')).toHaveTextContent(/^Ethereum$/)
    await expect.element(button(/Sepolia/)).toHaveTextContent('Test network')
    await expect.element(button(/Hoodi/)).toHaveTextContent('Test network')
    await expect
      .poll(() => button('Ethereum').element().querySelector('img')?.getAttribute('src'))
      .toBe('data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7')
    expect(new Set(images)).toEqual(new Set(['asset picture']))
    expect(
      button(/Sepolia/)
        .element()
        .querySelector('img'),
    ).toBeNull()
  })

  test('goes back if the user chooses the active network [R1.13]', async () => {
    const latchkey = await renderView(Networks, undefined, { state: withConnection })
    await button('Ethereum Selected').click()
    expect(callsTo(latchkey.calls, 'pickNetwork')).toEqual([])
    expect(callsTo(latchkey.calls, 'back')).toHaveLength(1)
  })

  test('disables the other networks if the wallet cannot switch networks [R1.13]', async () => {
    await renderView(Networks, undefined, { canSwitch: false, state: withConnection })
    await expect.element(button('Base Not available in Marlin')).toBeDisabled()
    await expect.element(button('Ethereum Selected')).toBeEnabled()
  })

  test('requests a network’s image by the image’s ID, unless the network has an image URL or no image [R7.4]', async () => {
    const dot = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='
    const requested = new Set<string>()
    const known = [
      fakeNetwork('eip155:1', { name: 'Listed', assets: { imageId: 'of-1' } }),
      fakeNetwork('eip155:2', { name: 'Own', assets: { imageId: 'of-2', imageUrl: dot } }),
      fakeNetwork('eip155:3', { name: 'Plain' }),
    ]
    await renderView(Networks, undefined, {
      options: { server: 'https://connect.example', projectId: 'p' },
      directory: {
        ...fakeDirectory({ wallets: [] }),
        image: async (kind, id) => {
          requested.add(`${kind} ${id}`)
          return dot
        },
      },
      state: (initialState) => ({ ...initialState, networks: { known, active: 'eip155:1', namespace: 'eip155' } }),
    })
    await expect.element(button('Plain')).toBeVisible()
    await expect.poll(() => [...requested]).toEqual(['asset of-1'])
  })

  test('has a search field if there are many networks, and shows a message if no network matches [R1.13]', async () => {
    const known = Array.from({ length: 12 }, (_, at) => fakeNetwork(`eip155:${at + 1}`, { name: `Net ${at + 1}` }))
    await renderView(Networks, undefined, {
      state: (initialState) => ({ ...initialState, networks: { known, active: 'eip155:1', namespace: 'eip155' } }),
    })
    const field = page.getByRole('textbox', { name: 'Search networks' })
    await field.fill(' nET 12 ')
    await expect.element(button('Net 12')).toBeVisible()
    expect(button('Net 2').elements()).toEqual([])
    await field.fill('zzz')
    await expect.element(page.getByText('Nothing matches “zzz”.')).toBeVisible()
    expect(await axeFindings()).toEqual([])
  })
})

describe('SwitchNetwork', () => {
  test('asks the wallet only once, on mount, to switch networks [R1.13]', async () => {
    const latchkey = await renderView(SwitchNetwork, base, {
      state: withConnection,
      switchNetwork: () => new Promise(() => undefined),
    })
    await expect.element(page.getByText('Confirm in Marlin to switch to Base.')).toBeVisible()
    expect(callsTo(latchkey.calls, 'switchNetwork')).toHaveLength(1)
    expect(await axeFindings()).toEqual([])
  })

  test.each([
    ['user/rejected', { request: 'x' }, 'You declined', 'You are still on Ethereum.'],
    ['wallet/unsupported', { method: 'x' }, 'Marlin does not support Base', /connect another wallet/],
    ['network/unsupported', { chain: 'eip155:8453' }, 'Marlin does not support Base', /connect another wallet/],
    ['wallet/unresponsive', { connectorId: 'x' }, 'Marlin is not responding', /Unlock Marlin/],
    ['wallet/busy', { connectorId: 'x' }, 'A request is already open', /finish the request/],
    ['wallet/failed', { message: 'boom' }, 'Switching failed', 'The wallet reported: boom'],
  ] as const)('shows a specific message and a retry button for %s [R1.13]', async (code, details, title, body) => {
    const latchkey = await renderView(SwitchNetwork, base, {
      state: withConnection,
      switchNetwork: async () => {
        throw fakeFailure(code, details as never)
      },
    })
    await expect.element(page.getByText(title)).toBeVisible()
    await expect.element(page.getByText(body)).toBeVisible()
    await button('Try again').click()
    await expect.poll(() => callsTo(latchkey.calls, 'switchNetwork')).toHaveLength(2)
  })

  test('does not name the current network if the user declines and the current network is unknown', async () => {
    await renderView(SwitchNetwork, base, {
      state: (initialState) => ({ ...initialState, networks: { ...initialState.networks, active: undefined } }),
      switchNetwork: async () => {
        throw fakeFailure('user/rejected', { request: 'x' })
      },
    })
    await expect.element(page.getByText('Your network did not change.')).toBeVisible()
  })
})

test('SwitchActiveChain offers to connect a wallet for the other namespace and keeps the current wallet connected [R1.13]', async () => {
  const latchkey = await renderView(SwitchActiveChain, { namespace: 'solana' }, { state: withConnection })
  await expect.element(page.getByText(/Your current one stays connected/)).toBeVisible()
  expect(await axeFindings()).toEqual([])
  await button('Connect a wallet for Solana').click()
  expect(callsTo(latchkey.calls, 'open')).toEqual([
    ['open', { namespace: 'solana', view: { view: 'Connect', data: undefined } }],
  ])
})

describe('UnsupportedChain', () => {
  test('lets the user choose one of the host’s networks or disconnect [R1.13]', async () => {
    const latchkey = await renderView(UnsupportedChain, undefined, { state: withConnection })
    expect(await axeFindings()).toEqual([])
    expect(rows()).toEqual(['Ethereum', 'Optimism', 'Base'])
    await button('Optimism').click()
    expect(callsTo(latchkey.calls, 'pickNetwork')).toEqual([['pickNetwork', 'eip155:10']])
    await button('Disconnect').click()
    expect(callsTo(latchkey.calls, 'disconnect')).toHaveLength(1)
  })
})

test('WhatIsANetwork has a button that goes back to the list', async () => {
  const latchkey = await renderView(WhatIsANetwork, undefined, { state: withConnectors })
  expect(await axeFindings()).toEqual([])
  await button('Choose a network').click()
  expect(callsTo(latchkey.calls, 'back')).toHaveLength(1)
})
