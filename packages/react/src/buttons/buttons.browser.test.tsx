import { createLatchkey, initialState, type Latchkey, type LatchkeyOptions, type State } from '@latchkey/core'
import { fakeFailure, fakeLatchkey, withAccount } from '@latchkey/core/testing'
import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { StrictMode, useState } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { useAccount } from '../hooks/useAccount.ts'
import { useDisconnect } from '../hooks/useDisconnect.ts'
import { LatchkeyPanel } from '../LatchkeyPanel.tsx'
import { LatchkeyProvider } from '../LatchkeyProvider.tsx'
import { axeFindings } from '../testing/axe.ts'
import { type FakeWallet, fakeAdapter, fakeNetwork, fakeWallet, memoryStorage } from '../testing/fakeWallet.ts'
import { withConnectors } from '../views/testing/samples.ts'
import { AccountButton } from './AccountButton.tsx'
import { ButtonStyles } from './ButtonStyles.tsx'
import { ConnectButton } from './ConnectButton.tsx'
import { NetworkButton } from './NetworkButton.tsx'

const address = '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B'

function make(wallet: FakeWallet, options: LatchkeyOptions = {}): Latchkey {
  return createLatchkey({ storage: memoryStorage(), adapters: [fakeAdapter({ wallets: [wallet] })], ...options })
}

async function found(latchkey: Latchkey): Promise<void> {
  await expect.poll(() => latchkey.shown().length).toBe(1)
  // For new users, the code that sends requests to wallets is not loaded in advance.
  await latchkey.prepare()
}

afterEach(async () => {
  await cleanup()
  await page.viewport(800, 700)
})

test('the connect button keeps its width while connecting, shows the account once connected and changes back after disconnecting [R4.3] [R9.4]', async () => {
  const wallet = fakeWallet({ name: 'Acorn' })
  const latchkey = make(wallet)
  await render(
    <LatchkeyProvider latchkey={latchkey}>
      <ButtonStyles />
      <ConnectButton />
      <Leave />
    </LatchkeyProvider>,
  )
  const button = page.getByRole('button', { name: 'Connect wallet' })
  const idle = button.element().getBoundingClientRect().width
  await found(latchkey)
  const session = latchkey.connect({ connectorId: 'fake.acorn' })
  const waiting = page.getByRole('button', { name: 'Connecting…' })
  await expect.element(waiting).toHaveAttribute('aria-busy', 'true')
  expect(waiting.element().getBoundingClientRect().width).toBe(idle)
  wallet.approve()
  await session
  const account = page.getByRole('button', { name: 'Account 0xAb58…eC9B, 1.234\u2009ETH' })
  await expect.element(account).toBeVisible()
  await expect.element(account).not.toHaveAttribute('aria-busy')
  await page.getByRole('button', { name: 'Leave' }).click()
  await expect.element(button).toBeVisible()
})

function Leave() {
  const { disconnect } = useDisconnect()
  return (
    <button type="button" onClick={() => void disconnect()}>
      Leave
    </button>
  )
}

test('the connect button shows its label again after the user declines the request [R4.3]', async () => {
  const wallet = fakeWallet({ name: 'Acorn' })
  const latchkey = make(wallet)
  await render(
    <LatchkeyProvider latchkey={latchkey}>
      <ConnectButton label="Sign in" />
    </LatchkeyProvider>,
  )
  await found(latchkey)
  const session = latchkey.connect({ connectorId: 'fake.acorn' })
  await expect.element(page.getByRole('button', { name: 'Connecting…' })).toBeVisible()
  wallet.reject()
  await expect(session).rejects.toMatchObject({ code: 'user/rejected' })
  await expect.element(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
})

test('the visible label and the accessible name can depend on the viewport width', async () => {
  const wallet = fakeWallet({ name: 'Acorn' })
  await render(
    <LatchkeyProvider latchkey={make(wallet)}>
      <ButtonStyles />
      <ConnectButton label={{ small: 'Connect', large: 'Connect a wallet to order' }} />
    </LatchkeyProvider>,
  )
  const small = page.getByText('Connect', { exact: true })
  const large = page.getByText('Connect a wallet to order')
  await page.viewport(639, 700)
  await expect.element(small).toBeVisible()
  await expect.element(large).not.toBeVisible()
  expect(page.getByRole('button', { name: 'to order' }).elements()).toEqual([])
  await page.viewport(640, 700)
  await expect.element(large).toBeVisible()
  await expect.element(small).not.toBeVisible()
  expect(page.getByRole('button', { name: 'to order' }).elements()).toHaveLength(1)
})

test('a server-rendered page shows the account immediately and hydrates without warnings', async () => {
  const state = initialState(`latchkey-state=${encodeURIComponent(`eip155:10|${address}`)}`)
  expect(state).toEqual({ namespace: 'eip155', address, chain: 'eip155:10' })
  const consoleError = vi.spyOn(console, 'error')
  const options: LatchkeyOptions = {
    storage: memoryStorage(),
    adapters: [fakeAdapter()],
    ...(state && { initialState: state }),
  }
  const tree = (latchkey: Latchkey) => (
    <StrictMode>
      <LatchkeyProvider latchkey={latchkey}>
        <ConnectButton showBalance />
        <NetworkButton />
      </LatchkeyProvider>
    </StrictMode>
  )
  const html = renderToString(tree(createLatchkey(options)))
  expect(html).toContain('0xAb58…eC9B')
  expect(html).toContain('data-status="reconnecting"')
  expect(html).toContain('Optimism')
  // A strict style-src forbids style attributes in server-rendered HTML.
  expect(html).not.toContain('style=')
  const place = document.createElement('div')
  place.innerHTML = html
  document.body.append(place)
  const recovered: unknown[] = []
  const root = hydrateRoot(place, tree(createLatchkey(options)), {
    onRecoverableError: (error) => recovered.push(error),
  })
  await expect.element(page.getByRole('button', { name: /Account 0xAb58…eC9B/ })).toBeVisible()
  await expect.poll(() => document.querySelector('latchkey-modal') !== null, { timeout: 6000 }).toBe(true)
  expect(recovered).toEqual([])
  expect(consoleError).not.toHaveBeenCalled()
  consoleError.mockRestore()
  root.unmount()
  place.remove()
  expect(document.querySelector('latchkey-modal')).toBeNull()
})

test('the button’s size and the visibility of the balance can depend on the viewport width', async () => {
  const latchkey = make(fakeWallet({ name: 'Acorn', auto: true }))
  await render(
    <LatchkeyProvider latchkey={latchkey}>
      <ButtonStyles />
      <AccountButton showBalance={{ small: false, large: true }} size={{ small: 'small', large: 'large' }} />
    </LatchkeyProvider>,
  )
  await found(latchkey)
  await latchkey.connect({ connectorId: 'fake.acorn' })
  await expect.element(page.getByText(/1\.234/)).toBeVisible()
  const height = (): number => page.getByRole('button').element().getBoundingClientRect().height
  expect(height()).toBe(52)
  await page.viewport(500, 700)
  await expect.element(page.getByText(/1\.234/)).not.toBeVisible()
  expect(height()).toBe(36)
})

test('the account button shows the balance with three decimal places, rounded down, and a shortened address [R9.4]', async () => {
  const wallet = fakeWallet({ name: 'Acorn', auto: true })
  const adapters = [fakeAdapter({ wallets: [wallet], balance: 12_345_678_900_000_000_000_000n })]
  const latchkey = make(wallet, { adapters })
  await render(
    <LatchkeyProvider latchkey={latchkey}>
      <AccountButton showBalance />
    </LatchkeyProvider>,
  )
  await found(latchkey)
  await latchkey.connect({ connectorId: 'fake.acorn' })
  const shown = page.getByRole('button', { name: 'Account 0xAb58…eC9B, 12,345.678\u2009ETH' })
  await expect.element(shown).toHaveTextContent('0xAb58…eC9B12,345.678 ETH')
})

/** Returns a state in which the modal is closed and both wallets are available. */
const closed = (state: State): State => {
  const now = withConnectors(state)
  return { ...now, modal: { ...now.modal, open: false } }
}

/** Returns a state change after which Marlin is reconnecting or, if `error` is passed, cannot be reached. */
const reconnecting =
  (error?: LatchkeyError) =>
  (state: State): State => ({
    ...closed(state),
    connections: {
      byNamespace: {
        eip155: {
          status: 'reconnecting',
          connectorId: 'example.marlin',
          accounts: [`eip155:1:${address}`],
          chain: 'eip155:1',
          ...(error && { error }),
        },
      },
      others: [],
    },
  })

test('the account button says whether the wallet is reconnecting or cannot be reached', async () => {
  const latchkey = fakeLatchkey({ state: reconnecting() })
  const { rerender } = await render(
    <LatchkeyProvider latchkey={latchkey}>
      <AccountButton />
    </LatchkeyProvider>,
  )
  const waiting = page.getByRole('button', { name: 'Account 0xAb58…eC9B, Reconnecting…' })
  await expect.element(waiting).toHaveAttribute('aria-busy', 'true')
  expect(waiting.element().getAttribute('data-status')).toBe('reconnecting')

  const down = fakeLatchkey({ state: reconnecting(fakeFailure('wallet/unreachable', { connectorId: 'x' })) })
  await rerender(
    <LatchkeyProvider key="down" latchkey={down}>
      <AccountButton />
    </LatchkeyProvider>,
  )
  const unreachable = page.getByRole('button', { name: 'Account 0xAb58…eC9B, Unreachable' })
  await expect.element(unreachable).toHaveAttribute('data-status', 'unreachable')
  await expect.element(unreachable).not.toHaveAttribute('aria-busy')
})

test('the account button says that the network is unsupported, and hides the balance there', async () => {
  const value = { value: 10n ** 18n, decimals: 18, symbol: 'ETH' }
  const latchkey = fakeLatchkey({
    state: (state) => {
      const now = withAccount(closed(state), `eip155:99:${address}`, 'example.marlin')
      return { ...now, account: { ...now.account, balance: { status: 'ready', value } } }
    },
  })
  const { rerender } = await render(
    <LatchkeyProvider latchkey={latchkey}>
      <AccountButton showBalance />
    </LatchkeyProvider>,
  )
  const unsupported = page.getByRole('button', { name: 'Account 0xAb58…eC9B, Unsupported network', exact: true })
  await expect.element(unsupported).toHaveAttribute('data-status', 'unsupported')
  // On a supported network, the name and the balance are shown.
  const named = fakeLatchkey({
    state: (state) => {
      const now = withAccount(closed(state), `eip155:1:${address}`, 'example.marlin')
      const identity = { status: 'ready', value: { name: 'ada.eth' } } as const
      return { ...now, account: { identity, balance: { status: 'ready', value } } }
    },
  })
  await rerender(
    <LatchkeyProvider key="named" latchkey={named}>
      <AccountButton showBalance />
    </LatchkeyProvider>,
  )
  await expect
    .element(page.getByRole('button', { name: 'Account ada.eth, 1\u2009ETH', exact: true }))
    .toHaveAttribute('data-status', 'connected')
})

test('the host’s CSS rules override the default styles', async () => {
  await render(
    <LatchkeyProvider latchkey={make(fakeWallet({ name: 'Acorn' }))}>
      <ButtonStyles />
      <ConnectButton className="mine" />
    </LatchkeyProvider>,
  )
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('button { border-radius: 3px } .mine { background: rgb(1, 2, 3) }')
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  const { borderRadius, backgroundColor } = getComputedStyle(page.getByRole('button').element())
  expect([borderRadius, backgroundColor]).toEqual(['3px', 'rgb(1, 2, 3)'])
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet)
})

test('a CSS reset does not remove the padding, but a rule for the button’s class does', async () => {
  await render(
    <LatchkeyProvider latchkey={make(fakeWallet({ name: 'Acorn' }))}>
      <ButtonStyles />
      <ConnectButton size="small" />
    </LatchkeyProvider>,
  )
  const before = document.adoptedStyleSheets
  const padding = () => getComputedStyle(page.getByRole('button').element()).padding
  for (const [rule, found] of [
    ['* { margin: 0; padding: 0 }', '6px 18px'],
    ['button, input { padding: 0 }', '6px 18px'],
    ['button.latchkey-button { padding: 1px }', '1px'],
  ] as const) {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(rule)
    document.adoptedStyleSheets = [...before, sheet]
    expect([rule, padding()]).toEqual([rule, found])
  }
  document.adoptedStyleSheets = before
})

test('the text stays readable if the page has a CSS rule for all buttons, and a rule for a class replaces the colors', async () => {
  const before = document.adoptedStyleSheets
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(
    'button { background: rgb(249, 249, 249); color: rgb(250, 250, 250) } .mine { background: rgb(1, 2, 3) }',
  )
  // Of two rules with the same specificity, the later one wins, so this page has rules both before and after the defaults.
  const style = document.createElement('style')
  style.textContent = '.early { color: rgb(4, 5, 6) }'
  document.head.prepend(style)
  document.adoptedStyleSheets = [...before, sheet]
  const { rerender } = await render(<Button className="" />)
  const colors = () => {
    const { backgroundColor, color } = getComputedStyle(page.getByRole('button').element())
    return [backgroundColor, color]
  }
  const own = colors()
  expect(own).not.toContain('rgb(249, 249, 249)')
  expect(own).not.toContain('rgb(250, 250, 250)')
  await rerender(<Button className="mine early" />)
  expect(colors()).toEqual(['rgb(1, 2, 3)', 'rgb(4, 5, 6)'])
  document.adoptedStyleSheets = before
  style.remove()
})

function Button({ className }: { className: string }) {
  const [latchkey] = useState(() => make(fakeWallet({ name: 'Acorn' })))
  return (
    <LatchkeyProvider latchkey={latchkey}>
      <ButtonStyles />
      <ConnectButton className={className} />
    </LatchkeyProvider>
  )
}

test('ConnectButton.Custom passes its state to the host’s render prop', async () => {
  const wallet = fakeWallet({ name: 'Acorn' })
  const latchkey = make(wallet)
  await render(
    <LatchkeyProvider latchkey={latchkey}>
      <ConnectButton.Custom>
        {({ account, network, busy, openConnect }) => (
          <button type="button" aria-busy={busy} data-mine onClick={openConnect}>
            {account.status === 'connected' ? `${account.address} on ${network?.name}` : 'Mine'}
          </button>
        )}
      </ConnectButton.Custom>
    </LatchkeyProvider>,
  )
  const busy = () => document.querySelector('[data-mine]')?.getAttribute('aria-busy')
  await page.getByRole('button', { name: 'Mine' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Connect a wallet' })).toBeVisible()
  // The open modal alone does not make the button busy.
  await expect.poll(busy).toBe('false')
  await page.getByRole('button', { name: /Acorn/ }).click()
  await expect.poll(busy).toBe('true')
  wallet.approve()
  await expect.poll(busy).toBe('false')
  await expect.element(page.getByRole('button', { name: `${address} on Ethereum` })).toBeVisible()
})

/** Creates an instance whose modal fails to load until `repair` is called. */
function unloadable(wallet: FakeWallet, options: LatchkeyOptions = {}) {
  const latchkey = make(wallet, options)
  let broken = true
  const opened = latchkey.modal.open
  return {
    repair: () => {
      broken = false
    },
    latchkey: {
      ...latchkey,
      prepare: () => (broken ? Promise.reject(new Error('404')) : latchkey.prepare()),
      modal: {
        ...latchkey.modal,
        open: (params?: Parameters<typeof opened>[0]) => (broken ? undefined : opened(params)),
      },
    } satisfies Latchkey,
  }
}

test('the button that was pressed shows that loading failed, until a button is pressed again', async () => {
  const { latchkey, repair } = unloadable(fakeWallet({ name: 'Acorn' }))
  await render(
    <LatchkeyProvider latchkey={latchkey} locale="de">
      <ButtonStyles />
      <ConnectButton />
      <NetworkButton />
      <ConnectButton.Custom>{({ failed }) => <p>{failed ? 'failed' : 'fine'}</p>}</ConnectButton.Custom>
    </LatchkeyProvider>,
  )
  const network = page.getByRole('button', { name: 'Netzwerk: Ethereum' })
  await page.getByRole('button', { name: 'Wallet verbinden' }).click()
  const failed = page.getByRole('button', { name: 'Nicht geladen. Noch einmal versuchen' })
  await expect.element(failed).toHaveAttribute('aria-live', 'polite')
  await expect.element(failed).toHaveFocus()
  await expect.element(failed).not.toHaveAttribute('aria-busy')
  await expect.element(page.getByText('failed')).toBeVisible()
  await expect.element(network).toBeVisible()
  expect(await axeFindings(failed.element().parentElement as Element)).toEqual([])
  await network.click()
  await expect.element(page.getByRole('button', { name: 'Wallet verbinden' })).toBeVisible()
  await expect.element(failed).toBeVisible()
  expect(failed.element().getAttribute('data-kind')).toBe('network')
  repair()
  await failed.click()
  await expect.element(page.getByRole('dialog', { name: 'Netzwerk wählen' })).toBeVisible()
  await expect.element(failed).not.toBeInTheDocument()
})

test('if the modal fails to load, a retry button is shown in place of an inline panel', async () => {
  const { latchkey, repair } = unloadable(fakeWallet({ name: 'Acorn' }), { embedded: true })
  await render(
    <LatchkeyProvider latchkey={latchkey}>
      <LatchkeyPanel />
    </LatchkeyProvider>,
  )
  const failed = page.getByRole('button', { name: 'Could not load. Try again' })
  await expect.element(failed).toBeVisible()
  repair()
  await failed.click()
  await expect.element(page.getByRole('region', { name: 'Connect a wallet' })).toBeVisible()
  await expect.element(failed).not.toBeInTheDocument()
})

test('the button does not show a spinner while the modal is open', async () => {
  const latchkey = make(fakeWallet({ name: 'Acorn' }))
  await render(
    <LatchkeyProvider latchkey={latchkey}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Connect a wallet' })).toBeVisible()
  expect(document.querySelector('.latchkey-button')?.hasAttribute('data-turns')).toBe(false)
})

test('the network button shows the active network, marks a network that the host does not list, and can be disabled [R1.13]', async () => {
  const wallet = fakeWallet({ name: 'Acorn', auto: true, chain: 'eip155:99' })
  const adapters = [fakeAdapter({ wallets: [wallet], networks: [fakeNetwork(1, 'Ethereum')] })]
  const latchkey = make(wallet, { adapters, networkSwitching: false })
  await render(
    <LatchkeyProvider latchkey={latchkey}>
      <NetworkButton />
    </LatchkeyProvider>,
  )
  await expect.element(page.getByRole('button', { name: 'Network: Ethereum' })).toBeDisabled()
  await found(latchkey)
  await latchkey.connect({ connectorId: 'fake.acorn' })
  await expect.poll(() => document.querySelector('.latchkey-button')?.getAttribute('data-status')).toBe('unsupported')
})

test('two instances on the same page have separate accounts', async () => {
  const acorn = make(fakeWallet({ name: 'Acorn', auto: true }), { id: 'one' })
  const two = make(fakeWallet({ name: 'Birch', auto: true, address: '0x1111111111111111111111111111111111111111' }), {
    id: 'two',
  })
  await render(
    <>
      <LatchkeyProvider latchkey={acorn}>
        <ConnectButton />
      </LatchkeyProvider>
      <LatchkeyProvider latchkey={two}>
        <ConnectButton />
        <Who />
      </LatchkeyProvider>
    </>,
  )
  await found(acorn)
  await acorn.connect({ connectorId: 'fake.acorn' })
  await expect.element(page.getByRole('button', { name: /Account 0xAb58/ })).toBeVisible()
  await expect.element(page.getByText('disconnected')).toBeVisible()
})

function Who() {
  return <p>{useAccount().status}</p>
}

test('the buttons have no axe violations', async () => {
  const latchkey = make(fakeWallet({ name: 'Acorn', auto: true }))
  await render(
    <LatchkeyProvider latchkey={latchkey}>
      <ButtonStyles />
      <ConnectButton />
      <NetworkButton />
    </LatchkeyProvider>,
  )
  const buttons = (): Element => document.querySelector('.latchkey-button')?.parentElement as Element
  expect(await axeFindings(buttons())).toEqual([])
  await found(latchkey)
  await latchkey.connect({ connectorId: 'fake.acorn' })
  await expect.element(page.getByRole('button', { name: /^Account/ })).toBeVisible()
  expect(await axeFindings(buttons())).toEqual([])
})

test('if the options change, for example on hot reload, a single warning tells the developer to reload the page', async () => {
  const warnings: string[] = []
  const warn = vi.spyOn(console, 'warn').mockImplementation((text: string) => void warnings.push(text))
  const adapters = [fakeAdapter({ wallets: [] })]
  const storage = memoryStorage()
  const host = (options: LatchkeyOptions) => (
    <LatchkeyProvider options={{ adapters, storage, ...options }}>
      <ConnectButton />
    </LatchkeyProvider>
  )
  const { rerender } = await render(host({ app: { name: 'Shop' }, fetch: (...params) => fetch(...params) }))
  // A new inline object with the same contents does not trigger the warning.
  await rerender(host({ app: { name: 'Shop' }, fetch: (...params) => fetch(...params) }))
  await rerender(host({ app: { name: 'Bakery' }, features: { email: false } }))
  await expect.poll(() => warnings).toHaveLength(1)
  expect(warnings[0]).toMatch(/read once.*Reload.*app, features/)
  await rerender(host({ app: { name: 'Bakers' } }))
  // Once this module has loaded, a second warning would have been logged.
  await import('../warnOptionsChanged.ts')
  expect(warnings).toHaveLength(1)
  warn.mockRestore()
})

test('an account button for another namespace shows neither the balance nor the name of the active account', async () => {
  const latchkey = fakeLatchkey({
    state: (initialState) => {
      const now = withAccount(initialState, `eip155:1:${address}`, 'example.marlin')
      return {
        ...now,
        connections: {
          ...now.connections,
          byNamespace: {
            ...now.connections.byNamespace,
            solana: {
              status: 'connected',
              connectorId: 'example.lantern',
              accounts: ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'],
              chain: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
              health: 'ok',
            },
          },
        },
        account: {
          balance: { status: 'ready', value: { value: 10n ** 18n, decimals: 18, symbol: 'ETH' } },
          identity: { status: 'ready', value: { name: 'alice.eth' } },
        },
      }
    },
  })
  await render(
    <LatchkeyProvider latchkey={latchkey}>
      <AccountButton showBalance />
      <AccountButton showBalance namespace="solana" />
    </LatchkeyProvider>,
  )
  await expect.element(page.getByRole('button', { name: 'Account alice.eth, 1\u2009ETH' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Account 9WzDXw…AWWM', exact: true })).toBeVisible()
})
