import { createLatchkey, type Latchkey, type LatchkeyOptions, route, type State } from '@latchkey/core'
import { fakeLatchkey } from '@latchkey/core/testing'
import type { ReactNode } from 'react'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { ButtonStyles } from '../buttons/ButtonStyles.tsx'
import { ConnectButton } from '../buttons/ConnectButton.tsx'
import { NetworkButton } from '../buttons/NetworkButton.tsx'
import { LatchkeyPanel } from '../LatchkeyPanel.tsx'
import { LatchkeyProvider, type LatchkeyProviderProps } from '../LatchkeyProvider.tsx'
import { axeFindings } from '../testing/axe.ts'
import { fakeAdapter, fakeNetwork, fakeWallet, memoryStorage } from '../testing/fakeWallet.ts'

const host = (): HTMLElement => document.querySelector('latchkey-modal') as HTMLElement
const shadow = (): ShadowRoot => host().shadowRoot as ShadowRoot
const dialog = (): HTMLDialogElement => shadow().querySelector('dialog') as HTMLDialogElement
const card = (): HTMLElement => shadow().querySelector('.card') as HTMLElement
const focused = (): string => shadow().activeElement?.textContent || shadow().activeElement?.ariaLabel || ''
const theDialog = page.getByRole('dialog')

interface Shown {
  readonly options?: LatchkeyOptions
  readonly also?: ReactNode
  readonly props?: Partial<Pick<LatchkeyProviderProps, 'locale' | 'messages' | 'slots'>>
  /** Wraps the instance, for example to simulate a view that refuses to close. */
  readonly wrap?: (latchkey: Latchkey) => Latchkey
}

async function show({ options = {}, also, props = {}, wrap = (instance) => instance }: Shown = {}): Promise<Latchkey> {
  const latchkey = wrap(
    createLatchkey({
      storage: memoryStorage(),
      adapters: [fakeAdapter({ wallets: [fakeWallet({ name: 'Acorn', auto: true })] })],
      ...options,
    }),
  )
  await render(
    <main>
      <h1>Bakery</h1>
      <LatchkeyProvider latchkey={latchkey} {...props}>
        <ConnectButton />
        {also}
      </LatchkeyProvider>
    </main>,
  )
  return latchkey
}

async function open(): Promise<void> {
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Connect a wallet' })).toBeVisible()
}

async function connect(latchkey: Latchkey): Promise<void> {
  await expect.poll(() => latchkey.shown().length).toBe(1)
  await latchkey.connect({ connectorId: 'fake.acorn' })
  await expect.element(page.getByRole('button', { name: /^Account/ })).toBeVisible()
}

afterEach(async () => {
  await cleanup()
  document.documentElement.removeAttribute('style')
  for (const left of document.querySelectorAll('[data-test]')) left.remove()
  await page.viewport(800, 700)
})

test('pressing the button opens a dialog that is labeled by its heading, and Escape closes the dialog and restores focus [R4.6]', async () => {
  await show()
  await open()
  await expect.poll(focused).toBe('Connect a wallet')
  await userEvent.keyboard('{Escape}')
  await expect.element(theDialog).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Connect wallet' })).toHaveFocus()
})

test('once its chunk has loaded, the dialog opens within two frames of the button being pressed', async () => {
  await show()
  await open()
  await userEvent.keyboard('{Escape}')
  await expect.element(theDialog).not.toBeInTheDocument()
  const frame = (): Promise<number> => new Promise((done) => requestAnimationFrame(done))
  await frame()
  document.querySelector<HTMLElement>('.latchkey-button')?.click()
  let frames = 0
  while (!(dialog()?.open && shadow().querySelector('h2')?.textContent === 'Connect a wallet') && frames < 10) {
    await frame()
    frames++
  }
  expect(frames).toBeLessThanOrEqual(2)
})

test.each([
  ['a phone', 400, 540],
  ['a low window', 800, 540],
] as const)('on %s, a long view can be scrolled to its end', async (_, width, height) => {
  await page.viewport(width, height)
  const wallets = Array.from({ length: 15 }, (_, at) => fakeWallet({ name: `Acorn ${at}` }))
  await show({ options: { adapters: [fakeAdapter({ wallets })] } })
  await open()
  const last = page.getByRole('button', { name: /^Acorn 14/ })
  await expect.element(last).toBeVisible()
  shadow().querySelector('.scroll')?.scrollTo(0, 10_000)
  const bottom = (element: Element) => Math.round(element.getBoundingClientRect().bottom)
  await expect.poll(() => bottom(last.element())).toBeLessThanOrEqual(height)
  expect(card().getBoundingClientRect().top).toBeGreaterThanOrEqual(0)
})

test('if focus was lost, for example to the dialog of a wallet in the page, it moves to the heading when the view changes', async () => {
  const wallet = fakeWallet({ name: 'Acorn' })
  await show({ options: { adapters: [fakeAdapter({ wallets: [wallet] })] } })
  await open()
  await page.getByRole('button', { name: /^Acorn/ }).click()
  await expect.poll(focused).toBe('Acorn')
  const heading = shadow().activeElement as HTMLElement
  heading.blur()
  expect(document.activeElement).toBe(document.body)
  wallet.reject()
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await expect.poll(focused).toBe('Acorn')
})

test('the first frame of Connect contains the legal links of the host', async () => {
  await show({ options: { termsUrl: 'https://app.example/terms' } })
  await expect.poll(() => document.querySelector('latchkey-modal')).not.toBeNull()
  let first: string | null | undefined
  const watch = new MutationObserver(() => {
    if (shadow().querySelector('h2')?.textContent === 'Connect a wallet')
      first ??= shadow().querySelector('.view')?.textContent
  })
  watch.observe(shadow(), { childList: true, subtree: true })
  await open()
  expect(first).toContain('By connecting you agree to the Terms of Service.')
  watch.disconnect()
})

test('the code for the directory and for connecting is loaded as soon as the pointer is over the button or the button has focus', async () => {
  for (const approach of [
    () => userEvent.keyboard('{Tab}'),
    () => page.getByRole('button', { name: 'Connect wallet' }).hover(),
  ]) {
    const loads = { directory: 0, connecting: 0 }
    await show({
      options: { server: 'https://connect.example', projectId: 'test' },
      wrap: (latchkey) => ({
        ...latchkey,
        directory() {
          loads.directory += 1
          return latchkey.directory()
        },
        prepare() {
          loads.connecting += 1
          return latchkey.prepare()
        },
      }),
    })
    // A previous test may have left the pointer where the button appears.
    await page.getByRole('heading', { name: 'Bakery' }).hover()
    const before = { ...loads }
    await approach()
    await expect.poll(() => loads.directory).toBeGreaterThan(before.directory)
    await expect.poll(() => loads.connecting).toBeGreaterThan(before.connecting)
    await cleanup()
  }
})

test('once Connect is displayed, the list of all wallets is loaded in advance, so that it opens within two frames', async () => {
  const loaded: string[] = []
  const watch = new PerformanceObserver((list) => loaded.push(...list.getEntries().map(({ name }) => name)))
  watch.observe({ type: 'resource', buffered: true })
  await show({ options: { server: 'https://connect.example', projectId: 'test', fetch: () => new Promise(() => {}) } })
  await open()
  await expect.poll(() => loaded.some((name) => name.includes('/AllWallets.tsx'))).toBe(true)
  // The file has been requested. Wait until the browser has also run it.
  await import('../views/connect/AllWallets.tsx')
  const frame = (): Promise<number> => new Promise((done) => requestAnimationFrame(done))
  await frame()
  page
    .getByRole('button', { name: /^All wallets/ })
    .element()
    .dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true }))
  let frames = 0
  while (shadow().querySelector('h2')?.textContent !== 'All wallets' && frames < 10) {
    await frame()
    frames++
  }
  expect(frames).toBeLessThanOrEqual(2)
  watch.disconnect()
})

test('the wallets that Connect has loaded are listed in the first frame of the list of all wallets', async () => {
  const data = Array.from({ length: 8 }, (_, at) => ({ id: `${at}`, name: `Wallet ${at}`, chains: ['eip155:1'] }))
  const fetch = async (): Promise<Response> => Response.json({ data, count: 8, allowedOrigins: [] })
  let renders = 0
  await show({
    options: { server: 'https://connect.example', projectId: 'test', fetch },
    wrap: (latchkey) => ({
      ...latchkey,
      // Only the list of wallets calls `listed`, so the calls show how often the list is rendered.
      listed(directory) {
        renders += 1
        return latchkey.listed(directory)
      },
    }),
  })
  await open()
  await expect.element(page.getByRole('button', { name: 'All wallets 8' })).toBeVisible()
  // Each render calls `listed` twice, and the list may be rendered twice.
  expect(renders).toBeLessThanOrEqual(4)
  let first: string | null | undefined
  const watch = new MutationObserver(() => {
    if (shadow().querySelector('h2')?.textContent === 'All wallets')
      first ??= shadow().querySelector('.view')?.textContent
  })
  watch.observe(shadow(), { childList: true, subtree: true })
  await page.getByRole('button', { name: 'All wallets 8' }).click()
  await expect.element(page.getByRole('button', { name: 'Wallet 7' })).toBeVisible()
  expect(first).toContain('Wallet 7')
  watch.disconnect()
})

test('choosing a wallet connects it, and the button shows the account and has focus [R4.3] [R1.1]', async () => {
  await show()
  await open()
  await page.getByRole('button', { name: /Acorn/ }).click()
  const account = page.getByRole('button', { name: /Account 0xAb58…eC9B/ })
  await expect.element(account).toBeVisible()
  await expect.element(theDialog).not.toBeInTheDocument()
  await expect.element(account).toHaveFocus()
})

test('Tab and Shift+Tab keep focus inside the dialog', async () => {
  await show()
  await open()
  await expect.poll(focused).toBe('Connect a wallet')
  const seen = new Set<string>()
  for (let step = 0; step < 12; step++) {
    await userEvent.tab()
    expect(document.activeElement).toBe(host())
    seen.add(focused())
  }
  expect([...seen].some((name) => name === 'Close')).toBe(true)
  await userEvent.tab({ shift: true })
  expect(document.activeElement).toBe(host())
})

test('opening Connect checks with the server whether this origin is allowed, and debug mode shows an alert if it is not [R8.4, R8.7]', async () => {
  const requests: string[] = []
  const server: typeof fetch = async (input) => {
    const { pathname } = new URL(String(input))
    requests.push(pathname)
    if (pathname === '/getWallets') return new Response('{}', { status: 403 })
    return new Response('{"allowedOrigins":[]}', { headers: { 'content-type': 'application/json' } })
  }
  const latchkey = await show({
    options: { server: 'https://connect.example', projectId: 'p', fetch: server, debug: true, logLevel: 'silent' },
  })
  expect(requests).toEqual([])
  await open()
  await expect.element(page.getByText('Invalid App Configuration')).toBeVisible()
  expect(latchkey.state.get().alert?.code).toBe('app/origin-not-allowed')
  await expect.poll(() => requests).toContain('/projects/v1/origins')
})

test('a view that refuses to close stays open after Escape is pressed five times and the backdrop is clicked', async () => {
  let refused = 0
  await show({
    wrap: (latchkey) => ({
      ...latchkey,
      modal: {
        ...latchkey.modal,
        close: () => {
          refused++
          return false
        },
      },
    }),
  })
  await open()
  for (let press = 1; press <= 5; press++) {
    await userEvent.keyboard('{Escape}')
    expect(dialog().open).toBe(true)
    expect(refused).toBe(press)
  }
  dialog().dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, composed: true }))
  dialog().click()
  expect(refused).toBe(6)
  expect(dialog().open).toBe(true)
})

test('if the browser closes the dialog but the view refuses to close, the dialog reopens', async () => {
  await show({ wrap: (latchkey) => ({ ...latchkey, modal: { ...latchkey.modal, close: () => false } }) })
  await open()
  dialog().close()
  await expect.poll(() => dialog().open).toBe(true)
})

test('clicking the backdrop closes the dialog, unless the pointer was pressed inside the card', async () => {
  await show()
  await open()
  const press = (from: Element): void => {
    from.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, composed: true }))
    dialog().dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true }))
  }
  press(card())
  expect(dialog().dataset.state).toBe('open')
  press(dialog())
  await expect.element(theDialog).not.toBeInTheDocument()
})

test('the card is 360 px wide with z-index 999, and becomes a full-width sheet on viewports up to 430 px wide [R2.10]', async () => {
  await page.viewport(1024, 700)
  await show()
  await open()
  expect(getComputedStyle(host()).zIndex).toBe('999')
  expect(card().offsetWidth).toBe(360)
  await page.viewport(430, 800)
  await expect.poll(() => card().offsetWidth).toBe(430)
  await expect.poll(() => Math.round(card().getBoundingClientRect().bottom)).toBe(window.innerHeight)
  await page.viewport(431, 800)
  await expect.poll(() => card().offsetWidth).toBe(360)
})

test('the sheet is full-width on viewports from 320 to 430 px, and the card is centered on wider viewports [R2.10]', async () => {
  await page.viewport(320, 700)
  await show()
  await open()
  const edges = () => {
    const { left, right } = card().getBoundingClientRect()
    return [Math.round(left), Math.round(right)]
  }
  for (const width of [320, 360, 390, 430]) {
    await page.viewport(width, 700)
    await expect.poll(edges).toEqual([0, width])
  }
  for (const width of [431, 600, 1600]) {
    await page.viewport(width, 700)
    await expect.poll(() => card().offsetWidth).toBe(360)
    const [left = 0, right = 0] = edges()
    expect(Math.abs(left - (width - right))).toBeLessThanOrEqual(1)
  }
})

test('the host’s theme can override the width and the z-index [R2.10]', async () => {
  await page.viewport(1024, 700)
  await show({ options: { themeVariables: { z: '5', width: '420px' } } })
  await open()
  expect(getComputedStyle(host()).zIndex).toBe('5')
  expect(card().offsetWidth).toBe(420)
})

test.each([
  [{}, 999],
  [{ themeVariables: { z: '5' } }, 5],
])(
  'an embedded modal covers elements with a lower z-index and is covered by those with a higher z-index: %o [R2.10]',
  async (options, z) => {
    await page.viewport(1024, 700)
    await show({ options: { embedded: true, ...options }, also: <LatchkeyPanel /> })
    await expect.element(page.getByRole('heading', { name: 'Connect a wallet' })).toBeVisible()
    const cover = document.createElement('div')
    cover.dataset.test = ''
    cover.style.cssText = 'position: fixed; inset: 0'
    document.body.append(cover)
    const { left, top, width, height } = card().getBoundingClientRect()
    const onTop = () => document.elementFromPoint(left + width / 2, top + height / 2)
    cover.style.zIndex = String(z - 1)
    expect(onTop()).toBe(host())
    cover.style.zIndex = String(z + 1)
    expect(onTop()).toBe(cover)
  },
)

test('an open modal covers everything on the page [R2.10]', async () => {
  await page.viewport(1024, 700)
  await show()
  await open()
  const cover = document.createElement('div')
  cover.dataset.test = ''
  cover.style.cssText = 'position: fixed; inset: 0; z-index: 2147483647'
  document.body.append(cover)
  const { left, top, width, height } = card().getBoundingClientRect()
  expect(document.elementFromPoint(left + width / 2, top + height / 2)).toBe(host())
})

test('an embedded modal is at most 360 px wide and shrinks to fit its container [R2.10]', async () => {
  await page.viewport(1024, 700)
  await show({ options: { embedded: true }, also: <LatchkeyPanel /> })
  await expect.element(page.getByRole('heading', { name: 'Connect a wallet' })).toBeVisible()
  expect(card().offsetWidth).toBe(360)
  const place = host().parentElement as HTMLElement
  place.style.width = '300px'
  await expect.poll(() => card().offsetWidth).toBe(300)
  place.style.width = ''
})

test('the sheet follows a drag, springs back after a short drag and closes after a long drag', async () => {
  await page.viewport(390, 800)
  await show()
  await open()
  // The modal loads this module when it opens.
  await import('./swipeToDismiss.ts')
  await Promise.all(
    card()
      .getAnimations()
      .map((animation) => animation.finished),
  )
  const top = card().getBoundingClientRect().top
  const pull = (by: number): void => {
    const at = (type: string, y: number): void => {
      const strip = shadow().querySelector('.screen-head') as HTMLElement
      strip.dispatchEvent(
        new PointerEvent(type, {
          bubbles: true,
          composed: true,
          isPrimary: true,
          pointerId: 1,
          clientX: 150,
          clientY: y,
        }),
      )
    }
    card().setPointerCapture = () => undefined
    at('pointerdown', top + 20)
    at('pointermove', top + 20 + by)
    expect(Math.round(card().getBoundingClientRect().top - top)).toBe(by)
    at('pointermove', top + 20 + by)
    at('pointerup', top + 20 + by)
  }
  pull(20)
  expect(dialog().dataset.state).toBe('open')
  await Promise.all(
    card()
      .getAnimations()
      .map((animation) => animation.finished),
  )
  pull(Math.ceil(card().offsetHeight / 2))
  await expect.element(theDialog).not.toBeInTheDocument()
})

test('the page behind the modal does not scroll or shift sideways', async () => {
  const tall = document.createElement('div')
  tall.dataset.test = ''
  tall.style.height = '4000px'
  document.body.append(tall)
  await show()
  const before = tall.getBoundingClientRect()
  await open()
  expect(getComputedStyle(document.documentElement).overflow).toBe('hidden')
  expect(tall.getBoundingClientRect().width).toBe(before.width)
  expect(tall.getBoundingClientRect().x).toBe(before.x)
  await userEvent.keyboard('{Escape}')
  await expect.element(theDialog).not.toBeInTheDocument()
  expect(document.documentElement.style.overflow).toBe('')
})

test('hostile styles on the page do not affect the modal', async () => {
  await show()
  await open()
  await Promise.all(
    card()
      .getAnimations()
      .map((animation) => animation.finished),
  )
  const looks = (): string[] => {
    const button = shadow().querySelector('.icon-button') as HTMLElement
    const heading = shadow().querySelector('h2') as HTMLElement
    const row = shadow().querySelector('.row') as HTMLElement
    return [button, heading, row, card()].flatMap((element) => {
      const { color, backgroundColor, fontSize, padding, width, lineHeight, letterSpacing, textTransform } =
        getComputedStyle(element)
      return [color, backgroundColor, fontSize, padding, width, lineHeight, letterSpacing, textTransform]
    })
  }
  const calm = looks()
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`
    * { color: red !important; font-size: 50px !important; letter-spacing: 9px !important; text-transform: uppercase !important }
    html { font-size: 62.5% !important } button, #root button { background: red !important; padding: 33px !important }
    h2 { font-size: 50px !important } dialog { display: none !important } div { display: none }
  `)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  const hostile = looks()
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet)
  expect(hostile).toEqual(calm)
})

test('an embedded modal has no dialog, and its close button returns to Connect, or to Account if a wallet is connected [R2.7]', async () => {
  const latchkey = await show({ options: { embedded: true }, also: <LatchkeyPanel /> })
  await expect.element(page.getByRole('heading', { name: 'Connect a wallet' })).toBeVisible()
  await expect.element(theDialog).not.toBeInTheDocument()
  latchkey.modal.push('WhatIsAWallet')
  await expect.element(page.getByRole('heading', { name: 'What is a wallet?' })).toBeVisible()
  await page.getByRole('button', { name: 'Close' }).click()
  await expect.element(page.getByRole('heading', { name: 'Connect a wallet' })).toBeVisible()
  await latchkey.connect({ connectorId: 'fake.acorn' })
  latchkey.modal.push('Networks')
  await expect.element(page.getByRole('heading', { name: 'Choose a network' })).toBeVisible()
  await page.getByRole('button', { name: 'Close' }).click()
  await expect.element(page.getByRole('button', { name: /Network: Ethereum/ })).toBeVisible()
})

test('an approval in an embedded modal has no back button and ignores close(), but its close button opens Account [R2.6] [R2.7]', async () => {
  const latchkey = await show({ options: { embedded: true }, also: <LatchkeyPanel /> })
  await expect.element(page.getByRole('heading', { name: 'Connect a wallet' })).toBeVisible()
  await connect(latchkey)
  latchkey.modal.push('ApproveTransaction', { requestId: 'r1' })
  await expect.element(page.getByRole('heading', { name: 'Approve' })).toBeVisible()
  expect(page.getByRole('button', { name: 'Back' }).elements()).toEqual([])
  expect(latchkey.modal.close()).toBe(false)
  await expect.poll(() => card().hasAttribute('data-shaking')).toBe(true)
  await expect.element(page.getByRole('heading', { name: 'Approve' })).toBeVisible()
  await page.getByRole('button', { name: 'Close' }).click()
  await expect.element(page.getByRole('button', { name: /Network: Ethereum/ })).toBeVisible()
  expect(latchkey.account().status).toBe('connected')
})

test('the header has a back button only if there is a previous view [R2.2]', async () => {
  const latchkey = await show()
  await open()
  const back = page.getByRole('button', { name: 'Back' })
  expect(back.elements()).toEqual([])
  latchkey.modal.push('WhatIsAWallet')
  latchkey.modal.push('GetWallet')
  await expect.element(page.getByRole('dialog', { name: 'Get a wallet' })).toBeVisible()
  await back.click()
  await expect.element(page.getByRole('dialog', { name: 'What is a wallet?' })).toBeVisible()
  await back.click()
  await expect.element(page.getByRole('dialog', { name: 'Connect a wallet' })).toBeVisible()
  expect(back.elements()).toEqual([])
  latchkey.modal.reset('WhatIsAWallet')
  await expect.element(page.getByRole('dialog', { name: 'What is a wallet?' })).toBeVisible()
  expect(back.elements()).toEqual([])
})

test('the back button returns to the previous view, but closes the modal if UnsupportedChain is in the stack [R2.9] [R2.2]', async () => {
  const latchkey = await show()
  await open()
  await page.getByRole('button', { name: 'What is a wallet?' }).click()
  await expect.element(page.getByRole('dialog', { name: 'What is a wallet?' })).toBeVisible()
  await page.getByRole('button', { name: 'Back' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Connect a wallet' })).toBeVisible()
  latchkey.modal.open({ view: route('UnsupportedChain') })
  latchkey.modal.push('WhatIsANetwork')
  await page.getByRole('button', { name: 'Back' }).click()
  await expect.element(theDialog).not.toBeInTheDocument()
})

test('the network button opens the list of the host’s networks and shows the selected network [R1.13]', async () => {
  await show({ also: <NetworkButton /> })
  await page.getByRole('button', { name: 'Network: Ethereum' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Choose a network' })).toBeVisible()
  await page.getByRole('button', { name: /Optimism/ }).click()
  await expect.element(page.getByRole('button', { name: 'Network: Optimism' })).toBeVisible()
})

test.each<[string, LatchkeyOptions, boolean]>([
  ['two networks', {}, true],
  ['network switching turned off', { networkSwitching: false }, false],
  [
    'a single network',
    {
      adapters: [
        fakeAdapter({
          networks: [fakeNetwork(1, 'Ethereum')],
          wallets: [fakeWallet({ name: 'Acorn', auto: true })],
        }),
      ],
    },
    false,
  ],
])('the account view’s header has a network button if the user can switch (%s) [R1.13]', async (_, options, leads) => {
  const latchkey = await show({ options })
  await connect(latchkey)
  latchkey.modal.open()
  await expect.element(page.getByRole('dialog', { name: 'Account' })).toBeVisible()
  const choice = page.getByRole('button', { name: /^Network/ })
  if (!leads) return expect(choice.elements()).toEqual([])
  await choice.click()
  await expect.element(page.getByRole('dialog', { name: 'Choose a network' })).toBeVisible()
  expect(latchkey.state.get().modal.stack.map(({ view }) => view)).toEqual(['Account', 'Networks'])
})

test('opening the modal for a namespace shows the loading state only on that namespace’s button [R4.6]', async () => {
  const latchkey = await show({
    also: (
      <>
        <ConnectButton namespace="eip155" label="Ethereum" />
        <NetworkButton />
      </>
    ),
  })
  const busy = (): (string | null)[] =>
    [...document.querySelectorAll('.latchkey-button')].map((button) => button.getAttribute('aria-busy'))
  await open()
  await userEvent.keyboard('{Escape}')
  await expect.poll(busy).toEqual([null, null, null])
  latchkey.modal.open({ namespace: 'eip155' })
  await expect.poll(() => latchkey.state.get().modal.loadingBy.eip155).toBe(true)
  await expect.poll(() => busy()[1]).toBe('true')
  latchkey.modal.close()
  await expect.poll(busy).toEqual([null, null, null])
})

test('if the view refuses to close, the card shakes while the shaking flag is set [R4.6] [R9.15]', async () => {
  let shaking = false
  let last: { from: State; shown: State } | undefined
  const listeners = new Set<() => void>()
  const flag = (on: boolean): void => {
    shaking = on
    last = undefined
    for (const listener of listeners) listener()
  }
  await show({
    wrap: (latchkey) => ({
      ...latchkey,
      state: {
        ...latchkey.state,
        get() {
          const from = latchkey.state.get()
          if (last?.from !== from) last = { from, shown: { ...from, modal: { ...from.modal, shaking } } }
          return last.shown
        },
        subscribe(listener) {
          listeners.add(listener)
          const stop = latchkey.state.subscribe(listener)
          return () => {
            listeners.delete(listener)
            stop()
          }
        },
      },
      modal: {
        ...latchkey.modal,
        close: () => {
          flag(true)
          return false
        },
      },
    }),
  })
  await open()
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => card().hasAttribute('data-shaking')).toBe(true)
  expect(getComputedStyle(card()).animationName).toBe('shake')
  expect(getComputedStyle(card()).animationDuration).toBe('0.5s')
  flag(false)
  await expect.poll(() => card().hasAttribute('data-shaking')).toBe(false)
})

test('if a view throws, the modal shows an error and can still be closed', async () => {
  const latchkey = await show({ props: { slots: { disclaimer: <Broken /> } } })
  latchkey.modal.open()
  await expect.element(page.getByRole('alert')).toHaveTextContent('This page did not load.')
  await page.getByRole('button', { name: 'Close' }).click()
  await expect.element(theDialog).not.toBeInTheDocument()
})

function Broken(): ReactNode {
  throw new Error('The slot failed.')
}

test('the theme and its variables follow the state, and the text direction follows the language', async () => {
  const latchkey = await show({ props: { locale: 'ar' } })
  latchkey.modal.open()
  await expect.poll(() => dialog()?.dir).toBe('rtl')
  latchkey.setTheme({ mode: 'dark', variables: { accent: 'rgb(255, 220, 0)' } })
  await expect.poll(() => host().getAttribute('theme')).toBe('dark')
  expect(host().style.getPropertyValue('--latchkey-accent')).toBe('rgb(255, 220, 0)')
  latchkey.setTheme({ mode: 'system', variables: {} })
  await expect.poll(() => host().getAttribute('theme')).toBe('light')
})

test('the page’s color-scheme property or class sets the color scheme of the modal and the buttons', async () => {
  const { documentElement } = document
  const shown = () => ({
    modal: getComputedStyle(dialog() as Element).colorScheme,
    button: getComputedStyle(document.querySelector('.latchkey-button') as Element).colorScheme,
  })
  const both = (is: string) => expect.poll(shown).toEqual({ modal: is, button: is })
  const latchkey = await show({ also: <ButtonStyles /> })
  latchkey.modal.open()
  try {
    await both('light')
    documentElement.style.colorScheme = 'dark'
    await both('dark')
    documentElement.style.colorScheme = 'light dark'
    await both('light')
    documentElement.className = 'dark'
    await both('dark')
  } finally {
    documentElement.removeAttribute('class')
    documentElement.style.colorScheme = ''
  }
})

for (const theme of ['light', 'dark'] as const)
  test(`axe finds no violations in the open modal with the ${theme} theme`, async () => {
    const latchkey = await show({ options: { themeMode: theme }, also: <NetworkButton /> })
    await open()
    await Promise.all(
      shadow()
        .getAnimations()
        .map((animation) => animation.finished),
    )
    expect(await axeFindings(host())).toEqual([])
    latchkey.modal.close()
    await connect(latchkey)
    latchkey.modal.open()
    await expect.element(page.getByRole('dialog', { name: 'Account' })).toBeVisible()
    await Promise.all(
      shadow()
        .getAnimations()
        .map((animation) => animation.finished),
    )
    expect(await axeFindings(host())).toEqual([])
  })

test('the modal opens if the wallet is on a network that the host does not list, and can be closed', async () => {
  const latchkey = await show({
    options: {
      adapters: [
        fakeAdapter({
          networks: [fakeNetwork(1, 'Ethereum')],
          wallets: [fakeWallet({ name: 'Acorn', auto: true, chain: 'eip155:99' })],
        }),
      ],
    },
  })
  await expect.poll(() => latchkey.shown().length).toBe(1)
  await latchkey.connect({ connectorId: 'fake.acorn' })
  await expect.element(page.getByRole('dialog', { name: 'Switch network' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(theDialog).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: /Unsupported network/ })).toBeVisible()
})

test.each([
  [route('Connect'), 'Connect a wallet'],
  [route('Account'), 'Account'],
  [route('AllWallets'), 'All wallets'],
  [route('ConnectingWalletConnectBasic'), 'WalletConnect'],
  [route('SIWXSignMessage'), 'Sign in'],
  [route('ApproveTransaction', { requestId: '1' }), 'Approve'],
  [route('UnsupportedChain'), 'Switch network'],
  [route('ConnectingSiwe'), 'Sign in'],
  [route('ConnectingFarcaster'), 'Farcaster'],
  [route('RegisterAccountName'), 'Choose a name'],
  [route('RegisterAccountNameSuccess', { name: 'alice.shop.example' }), 'Name registered'],
])('the modal shows the view $0.view, and the URL of the page stays the same [R2.1]', async (view, title) => {
  const { href } = location
  const entries = history.length
  const latchkey = fakeLatchkey({
    options: { server: 'https://connect.example', projectId: 'p', embedded: false },
    state: (quiet) => ({ ...quiet, modal: { ...quiet.modal, open: true, stack: [view] } }),
  })
  await render(
    <LatchkeyProvider latchkey={latchkey}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  await expect.element(page.getByRole('dialog', { name: title, exact: true })).toBeVisible()
  expect(location.href).toBe(href)
  expect(history.length).toBe(entries)
})
