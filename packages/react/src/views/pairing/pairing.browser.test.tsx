import type { ConnectorInfo, PairingState, State, Views } from '@latchkey/core'
import { fakeClock, fakeDirectory, fakeFailure, fakePairing, withAccount } from '@latchkey/core/testing'
import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import { ScreenFrameContext } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react'
import { axeFindings } from '../../testing/axe.ts'
import { AllWallets } from '../connect/AllWallets.tsx'
import { Connect } from '../connect/Connect.tsx'
import { button, callsTo, renderView } from '../testing/renderView.tsx'
import { address, announcedConnectors, server, wallets, withConnectors } from '../testing/samples.ts'
import type { ViewSetup } from '../testing/viewFixture.tsx'
import type { ViewProps } from '../viewProps.ts'
import { ConnectingWalletConnect } from './ConnectingWalletConnect.tsx'
import { ConnectingWalletConnectBasic } from './ConnectingWalletConnectBasic.tsx'

const secret = '587d5484ce2a2a6ee3ba1962fdd7e8588e06200c46823bd18fbd67def96ad303'
const uriOf = (key: string): string => `wc:${'7f6e504b'.repeat(8)}@2?relay-protocol=irn&symKey=${key}`
const offered = (key = secret): PairingState => ({
  status: 'offered',
  offer: { uri: uriOf(key), expiresAt: 240_000 },
  error: undefined,
})
const preparing: PairingState = { status: 'preparing', offer: undefined, error: undefined }
const failed = (error: PairingState['error']): PairingState => ({ status: 'failed', offer: undefined, error })

/** A wallet with a mobile app, a web app, a desktop app and a browser extension. */
const lumen: Wallet = {
  id: 'lumen',
  name: 'Lumen',
  rdns: 'example.lumen',
  mobile_link: 'lumen:',
  webapp_link: 'https://lumen.example/app',
  desktop_link: 'lumen-desktop:',
  image_url: 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/%3E',
}
const pocket: Wallet = { id: 'pocket', name: 'Pocket', mobile_link: 'pocket:' }
const phone = { platform: 'mobile' } as const
const walletConnect: ConnectorInfo = {
  id: 'walletConnect',
  name: 'WalletConnect',
  type: 'WALLET_CONNECT',
  namespace: 'eip155',
}
const pairs = (initialState: State): State => {
  const now = withConnectors(initialState)
  return { ...now, wallets: { ...now.wallets, connectors: [...announcedConnectors, walletConnect] } }
}

const show = (setup: ViewSetup & { wallet?: Wallet } = {}) => {
  const { wallet, ...rest } = setup
  const data: Views['ConnectingWalletConnect'] = wallet ? { wallet } : {}
  return renderView(ConnectingWalletConnect, data, { state: pairs, ...rest })
}
const qr = page.getByRole('img', { name: 'QR code for connecting a wallet' })
const code = (): string | null | undefined => qr.element().querySelector('path')?.getAttribute('d')
const place = (element: Element): readonly number[] => {
  const { x, y, width, height } = element.getBoundingClientRect()
  return [x, y, width, height].map(Math.round)
}

const frame = { headingId: 'heading', level: 2, arrived: (heading: HTMLElement) => heading.focus() } as const

/** Renders the view in a screen frame that moves focus to the heading of each screen, as the modal does. */
function InModal(props: ViewProps<'ConnectingWalletConnect'>): ReactNode {
  return (
    <ScreenFrameContext.Provider value={frame}>
      <ConnectingWalletConnect {...props} />
    </ScreenFrameContext.Provider>
  )
}

/** Returns every place on the page where `text` occurs, either in a text node or in an attribute. */
function placesOf(text: string): readonly string[] {
  const places: string[] = []
  for (const element of document.querySelectorAll('body, body *')) {
    const name = element.localName
    for (const attribute of element.attributes)
      if (decodeURIComponent(attribute.value).includes(text)) places.push(`${name}[${attribute.name}]`)
    for (const node of element.childNodes)
      if (node.nodeType === Node.TEXT_NODE && node.nodeValue?.includes(text)) places.push(name)
  }
  return places
}

beforeEach(() => {
  vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
})

afterEach(async () => {
  await cleanup()
  vi.restoreAllMocks()
})

describe('the QR code', () => {
  test('replaces its placeholder without a layout shift [R1.1]', async () => {
    const pairing = fakePairing(preparing)
    await show({ pairing, wallet: pocket })
    const copy = button('Copy link')
    await expect.element(copy).toBeDisabled()
    await expect.element(page.getByText('Preparing the code…')).toBeVisible()
    const before = place(copy.element())
    const room = place(document.querySelector('.skeleton') as Element)

    pairing.state.set(offered())
    await expect.element(qr).toBeVisible()
    await expect.element(page.getByText('Scan this with Pocket on your phone.')).toBeVisible()
    await expect.element(copy).toBeEnabled()
    expect(place(qr.element())).toEqual(room)
    expect(place(copy.element())).toEqual(before)
    expect(await axeFindings()).toEqual([])

    pairing.state.set({ status: 'entering', offer: undefined, error: undefined })
    await expect.element(page.getByText('Approved in your wallet. Connecting…')).toBeVisible()
    expect(qr.elements()).toEqual([])
    expect(place(copy.element())).toEqual(before)
  })

  test('is announced once when it appears', async () => {
    const pairing = fakePairing(preparing)
    await show({ pairing })
    await expect.element(page.getByText('Preparing the code…')).toBeVisible()
    const announced: string[] = []
    const watch = new MutationObserver((changes) => {
      for (const { target } of changes) announced.push(target.textContent ?? '')
    })
    for (const region of page.getByRole('status').elements())
      watch.observe(region, { subtree: true, childList: true, characterData: true })
    pairing.state.set(offered())
    await expect.element(qr).toBeVisible()
    pairing.state.set({ ...offered() })
    await expect.element(button('Copy link')).toBeEnabled()
    watch.disconnect()
    expect(announced).toEqual(['Scan this with a wallet on your phone.'])
  })

  test('does not change if the wallet’s logo loads later', async () => {
    let arrive = (_: string) => {}
    const directory = fakeDirectory({ wallets: [] })
    await show({
      pairing: fakePairing(offered()),
      wallet: lumen,
      options: server,
      directory: {
        ...directory,
        walletImage: () =>
          new Promise((resolve) => {
            arrive = resolve
          }),
      },
    })
    await expect.element(qr).toBeVisible()
    const before = code()
    arrive(lumen.image_url as string)
    await expect.poll(() => document.querySelector('.code-room img')).not.toBeNull()
    expect(code()).toBe(before)
  })

  test('is requested while the view is mounted, and stays valid when the user leaves the view', async () => {
    const pairing = fakePairing(offered())
    await show({ pairing, wallet: pocket })
    await expect.element(qr).toBeVisible()
    const now = () => callsTo(pairing.calls, 'look').length - callsTo(pairing.calls, 'leave').length
    expect(now()).toBe(1)
    expect(pairing.calls[0]).toEqual(['look', { wallet: pocket, by: 'qrcode', authenticating: 'Authenticating...' }])
    await cleanup()
    expect(now()).toBe(0)
    expect(pairing.calls.filter(([name]) => name !== 'look' && name !== 'leave')).toEqual([])
    expect(pairing.state.get()).toEqual(offered())
  })

  test('is shown on a phone together with a link that opens a wallet app [R1.1]', async () => {
    const pairing = fakePairing(preparing)
    await show({ pairing, options: phone })
    await expect.element(button('Open a wallet app')).toBeDisabled()
    const before = place(button('Copy link').element())
    pairing.state.set(offered())
    const link = page.getByRole('link', { name: 'Open a wallet app' })
    await expect.element(link).toHaveAttribute('href', uriOf(secret))
    await expect.element(link).toHaveAttribute('target', '_self')
    await expect.element(page.getByText('Scan this with another phone, or open a wallet on this one.')).toBeVisible()
    expect(place(button('Copy link').element())).toEqual(before)
  })
})

describe('the pairing link', () => {
  test('is only copied on click, and the button shows a confirmation for 2.5 seconds', async () => {
    const clock = fakeClock()
    const pairing = fakePairing(preparing)
    await show({ pairing, options: { clock } })
    pairing.state.set(offered())
    await expect.element(button('Copy link')).toBeEnabled()
    expect(navigator.clipboard.writeText).not.toHaveBeenCalled()
    await button('Copy link').click()
    await expect.element(button('Link copied')).toBeVisible()
    await expect.element(page.getByRole('status').getByText('Link copied')).toBeInTheDocument()
    expect(vi.mocked(navigator.clipboard.writeText).mock.calls).toEqual([[uriOf(secret)]])
    await clock.pass(2500)
    await expect.element(button('Copy link')).toBeVisible()
  })

  test('is shown if it cannot be copied', async () => {
    vi.mocked(navigator.clipboard.writeText).mockRejectedValueOnce(new DOMException('no', 'NotAllowedError'))
    await show({ pairing: fakePairing(offered()) })
    await button('Copy link').click()
    await expect.element(page.getByText('Failed to copy')).toBeVisible()
    await expect.element(page.getByText(uriOf(secret))).toBeVisible()
    expect(await axeFindings()).toEqual([])
  })

  test('is only in the DOM where it is needed', async () => {
    await show({ pairing: fakePairing(offered()), wallet: lumen })
    await expect.element(qr).toBeVisible()
    expect(placesOf(secret)).toEqual([])
    await page.getByRole('tab', { name: 'Web' }).click()
    await expect.element(page.getByRole('link', { name: 'Open Lumen' })).toBeVisible()
    expect(placesOf(secret)).toEqual(['a[href]'])
    await button('Copy link').click()
    await expect.element(button('Link copied')).toBeVisible()
    expect(placesOf(secret)).toEqual(['a[href]'])

    vi.mocked(navigator.clipboard.writeText).mockRejectedValueOnce(new DOMException('no', 'NotAllowedError'))
    await show({ pairing: fakePairing(offered()) })
    await button('Copy link').click()
    await expect.element(page.getByText('Failed to copy')).toBeVisible()
    expect(placesOf(secret)).toEqual(['bdi'])
  })
})

describe('the connection methods', () => {
  const tabs = (): readonly (string | null)[] =>
    page
      .getByRole('tab')
      .elements()
      .map((tab) => tab.textContent)

  test('are tabs that can be selected with the arrow keys', async () => {
    const pairing = fakePairing(offered())
    await show({ pairing, wallet: lumen })
    await expect.element(qr).toBeVisible()
    expect(tabs()).toEqual(['Phone', 'Web', 'Desktop', 'Browser'])
    await page.getByRole('tab', { name: 'Phone' }).click()
    await userEvent.keyboard('{ArrowRight}')
    await expect.element(page.getByRole('tab', { name: 'Web', selected: true })).toHaveFocus()
    await expect.element(page.getByRole('tabpanel', { name: 'Web' })).toHaveTextContent('Continue in Lumen')
    expect(await axeFindings()).toEqual([])
    await userEvent.keyboard('{End}')
    await expect.element(page.getByText('Lumen is not in this browser')).toBeVisible()
    expect(await axeFindings()).toEqual([])
    await userEvent.keyboard('{ArrowRight}')
    await expect.element(page.getByRole('tab', { name: 'Phone', selected: true })).toHaveFocus()
    // Switching between tabs does not request a new pairing.
    expect(callsTo(pairing.calls, 'renew')).toEqual([])
  })

  test('open a desktop app immediately, but a web wallet only on click [R1.1]', async () => {
    const pairing = fakePairing(offered())
    await show({ pairing, wallet: lumen })
    await page.getByRole('tab', { name: 'Web' }).click()
    const link = page.getByRole('link', { name: 'Open Lumen' })
    await expect
      .element(link)
      .toHaveAttribute('href', `https://lumen.example/app/wc?uri=${encodeURIComponent(uriOf(secret))}`)
    await expect.element(link).toHaveAttribute('target', '_blank')
    await expect.element(link).toHaveAttribute('rel', 'noopener noreferrer')
    expect(callsTo(pairing.calls, 'open')).toEqual([])
    await page.getByRole('tab', { name: 'Desktop' }).click()
    await expect.element(link).toHaveAttribute('href', expect.stringMatching(/^lumen-desktop:\/\/wc\?uri=/))
    expect(callsTo(pairing.calls, 'open')).toHaveLength(1)
  })

  test('include a button that shows where to get the wallet', async () => {
    const latchkey = await show({ pairing: fakePairing(offered()), wallet: lumen })
    await button('Get Lumen').click()
    expect(callsTo(latchkey.calls, 'push')).toEqual([['push', 'Downloads', { wallet: lumen }]])
  })

  test('start with the installed extension if the wallet is available on this page [R1.1]', async () => {
    const latchkey = await show({ pairing: fakePairing(offered()), wallet: { ...lumen, rdns: 'example.marlin' } })
    expect(tabs()[0]).toBe('Browser')
    await button('Continue in Lumen').click()
    expect(callsTo(latchkey.calls, 'pickWallet')).toHaveLength(1)
  })
})

describe('a wallet app on a phone', () => {
  test('opens once, and does not open again when the pairing is renewed [R1.1]', async () => {
    const pairing = fakePairing(preparing)
    await show({ pairing, wallet: pocket, options: phone })
    await expect.element(button('Open Pocket')).toBeDisabled()
    expect(callsTo(pairing.calls, 'open')).toEqual([])

    pairing.state.set(offered())
    const link = page.getByRole('link', { name: 'Open Pocket' })
    await expect.element(link).toHaveAttribute('href', `pocket://wc?uri=${encodeURIComponent(uriOf(secret))}`)
    await expect.element(link).toHaveAttribute('target', '_self')
    await expect.element(link).toHaveAttribute('rel', 'noopener noreferrer')
    const opened = [['open', { url: `pocket://wc?uri=${encodeURIComponent(uriOf(secret))}`, target: '_self' }]]
    expect(callsTo(pairing.calls, 'open')).toEqual(opened)
    expect(await axeFindings()).toEqual([])

    pairing.state.set(preparing)
    await expect.element(button('Open Pocket')).toBeDisabled()
    pairing.state.set(offered('another'))
    await expect.element(link).toHaveAttribute('href', expect.stringContaining('another'))
    expect(callsTo(pairing.calls, 'open')).toEqual(opened)
  })

  test('cannot be opened from inside a different app, so the page’s address can be copied instead', async () => {
    const pairing = fakePairing(offered(), { canLeave: false })
    await show({ pairing, wallet: pocket, options: phone })
    await expect.element(page.getByText('Open this page in your browser')).toBeVisible()
    expect(callsTo(pairing.calls, 'open')).toEqual([])
    expect(placesOf(secret)).toEqual([])
    expect(await axeFindings()).toEqual([])
    await button('Copy the address of this page').click()
    expect(vi.mocked(navigator.clipboard.writeText).mock.calls).toEqual([[location.href]])
  })
})

describe('pairing errors', () => {
  test.each([
    [fakeFailure('pairing/expired', undefined), 'This code has expired', 'A new one takes a moment.', 'New code'],
    [fakeFailure('user/rejected', { request: 'connect' }), 'You declined', /^Pocket shared nothing/, 'Try again'],
    [
      fakeFailure('relay/unreachable', { address: 'wss://x' }),
      'The relay cannot be reached',
      /Check your connection/,
      'Try again',
    ],
    [
      fakeFailure('relay/session-expired', undefined),
      'The time on this device is wrong',
      /^Set its clock/,
      'Try again',
    ],
    [
      fakeFailure('relay/invalid-key', undefined),
      'This page cannot connect wallets here',
      /must register/,
      'Try again',
    ],
    [
      fakeFailure('session/invalid', { message: 'x' }),
      'Pocket does not work with this page',
      /^Choose another network/,
      'Try again',
    ],
    [fakeFailure('sign-in/invalid', undefined), 'The sign-in was not accepted', /^No wallet is connected/, 'Try again'],
    [fakeFailure('unknown', { message: 'x is undefined' }), 'Connection failed', 'Something went wrong.', 'Try again'],
  ] as const)('%s is explained and can be retried [R8.9]', async (error, title, body, on) => {
    const pairing = fakePairing(failed(error))
    await show({ pairing, wallet: pocket })
    await expect.element(page.getByText(title)).toBeVisible()
    await expect.element(page.getByText(body)).toBeVisible()
    expect(await axeFindings()).toEqual([])
    await button(on).click()
    expect(callsTo(pairing.calls, 'renew')).toHaveLength(1)
  })

  test('a wallet without a name is called “your wallet”, which is capitalized at the start of a sentence', async () => {
    await show({ pairing: fakePairing(failed(fakeFailure('user/rejected', { request: 'connect' }))) })
    await expect.element(page.getByText('Your wallet shared nothing with this app.', { exact: true })).toBeVisible()
  })

  test('retrying with the keyboard moves focus to the heading', async () => {
    const pairing = fakePairing(failed(fakeFailure('pairing/expired', undefined)), {
      renew: () => pairing.state.set(offered('another')),
    })
    await renderView(InModal, {}, { pairing, state: pairs })
    const again = button('New code')
    await expect.element(again).toBeVisible()
    ;(again.element() as HTMLElement).focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(qr).toBeVisible()
    await expect.element(page.getByRole('heading', { name: 'WalletConnect' })).toHaveFocus()
  })

  test('a retry button is shown if the pairing chunk fails to load', async () => {
    await show()
    await expect.element(page.getByText('Connection failed')).toBeVisible()
    await expect.element(button('Try again')).toBeEnabled()
  })
})

describe('consent to pairing', () => {
  const options = { termsUrl: 'https://app.example/terms', features: { legalCheckbox: true } }

  test('no pairing starts before the checkbox is checked', async () => {
    for (const open of [
      (pairing: ReturnType<typeof fakePairing>) => show({ pairing, wallet: pocket, options }),
      (pairing: ReturnType<typeof fakePairing>) => show({ pairing, wallet: pocket, options: { ...options, ...phone } }),
      (pairing: ReturnType<typeof fakePairing>) =>
        renderView(ConnectingWalletConnectBasic, undefined, { pairing, options }),
    ]) {
      const pairing = fakePairing(offered())
      await open(pairing)
      const box = page.getByRole('checkbox', { name: 'I agree to the Terms of Service' })
      await expect.element(box).toBeVisible()
      expect(pairing.calls).toEqual([])
      expect(placesOf(secret)).toEqual([])
      expect(await axeFindings()).toEqual([])
      await box.click()
      await expect.element(button('Copy link')).toBeEnabled()
      expect(callsTo(pairing.calls, 'look').length).toBeGreaterThan(0)
    }
  })
})

describe('a user who is already connected through WalletConnect', () => {
  const state = (initialState: State): State => withAccount(pairs(initialState), `eip155:1:${address}`, 'walletConnect')

  test('does not start a new pairing until they choose to connect another wallet', async () => {
    const pairing = fakePairing(offered())
    const latchkey = await show({ pairing, state })
    await expect.element(page.getByText('Already connected')).toBeVisible()
    expect(pairing.calls).toEqual([])
    expect(await axeFindings()).toEqual([])
    await button('View account').click()
    expect(callsTo(latchkey.calls, 'reset')).toEqual([['reset', 'Account', undefined]])
    await button('Connect another wallet').click()
    await expect.element(qr).toBeVisible()
  })

  test('starts a new pairing immediately by choosing a wallet', async () => {
    await show({ pairing: fakePairing(offered()), state, wallet: pocket })
    await expect.element(qr).toBeVisible()
  })
})

describe('ConnectingWalletConnectBasic', () => {
  test('shows a QR code and the “All wallets” row', async () => {
    const pairing = fakePairing(offered())
    const latchkey = await renderView(ConnectingWalletConnectBasic, undefined, {
      pairing,
      options: server,
      directory: fakeDirectory({ wallets: [] }),
    })
    await expect.element(qr).toBeVisible()
    expect(await axeFindings()).toEqual([])
    await button('All wallets').click()
    expect(callsTo(latchkey.calls, 'push')).toEqual([['push', 'AllWallets', undefined]])
  })

  test('only shows the QR code or an error if there is no directory', async () => {
    const pairing = fakePairing(failed(fakeFailure('pairing/expired', undefined)))
    await renderView(ConnectingWalletConnectBasic, undefined, { pairing })
    await expect.element(page.getByText('This code has expired')).toBeVisible()
    expect(page.getByRole('button').elements()).toHaveLength(1)
    await button('New code').click()
    expect(callsTo(pairing.calls, 'renew')).toHaveLength(1)
  })
})

describe('WalletConnect in the wallet lists', () => {
  const tiles = (): readonly (string | null)[] =>
    page
      .getByRole('listitem')
      .elements()
      .map((tile) => tile.textContent)

  test('is a row, which has the tag “QR code” only on a desktop', async () => {
    await renderView(Connect, undefined, { state: pairs })
    await expect.element(button('WalletConnect QR code')).toBeVisible()
    const latchkey = await renderView(Connect, undefined, { state: pairs, options: phone })
    await button('WalletConnect').click()
    await expect.element(button('WalletConnect')).not.toHaveTextContent('QR code')
    expect(callsTo(latchkey.calls, 'pickWallet')).toHaveLength(1)
  })

  test('is a QR code button next to the search field of AllWallets on a phone, rather than a tile', async () => {
    const setup = { state: pairs, directory: fakeDirectory({ wallets: wallets(3) }) }
    const latchkey = await renderView(AllWallets, undefined, { ...setup, options: { ...server, ...phone } })
    await expect.element(button('Wallet 1')).toBeVisible()
    expect(tiles()).toEqual(['MarlinInstalled', 'HearthInstalled', 'Wallet 0', 'Wallet 1', 'Wallet 2'])
    expect(await axeFindings()).toEqual([])
    await button('QR code').click()
    expect(callsTo(latchkey.calls, 'push')).toEqual([['push', 'ConnectingWalletConnect', {}]])

    await renderView(AllWallets, undefined, { ...setup, options: server })
    await expect.element(button('Wallet 1')).toBeVisible()
    expect(button('QR code').elements()).toEqual([])

    await renderView(AllWallets, undefined, { ...setup, state: withConnectors, options: { ...server, ...phone } })
    await expect.element(button('Wallet 1')).toBeVisible()
    expect(button('QR code').elements()).toEqual([])
  })

  test('replaces the “Get a wallet” button with “All wallets” on a phone that has no wallets', async () => {
    await renderView(Connect, undefined, {
      options: { ...server, ...phone },
      state: (initialState) => ({ ...initialState, wallets: { ...initialState.wallets, connectors: [walletConnect] } }),
      directory: fakeDirectory({ wallets: wallets(3) }),
    })
    await expect.element(button('All wallets 3')).toBeVisible()
    expect(button('Get a wallet').elements()).toEqual([])
  })

  test('can be used on a phone even if there is no directory', async () => {
    const latchkey = await renderView(AllWallets, undefined, {
      options: phone,
      state: (initialState) => ({ ...initialState, wallets: { ...initialState.wallets, connectors: [walletConnect] } }),
    })
    await button('WalletConnect').click()
    expect(callsTo(latchkey.calls, 'push')).toEqual([['push', 'ConnectingWalletConnect', {}]])
  })
})
