import { createLatchkey, type Latchkey, type LatchkeyOptions, route } from '@latchkey/core'
import type { ReactNode } from 'react'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { LatchkeyProvider } from '../LatchkeyProvider.tsx'
import { fakeAdapter, fakeWallet, memoryStorage } from '../testing/fakeWallet.ts'
import { useAccountModal, useChainModal, useConnectModal, useModal } from './useModal.ts'
import { useNetwork } from './useNetwork.ts'

afterEach(async () => {
  await cleanup()
})

/** Renders the modal's state and a button for each action. */
function HostButtons(): ReactNode {
  const { open, close, isOpen, view } = useModal()
  const handles = { connect: useConnectModal(), account: useAccountModal(), networks: useChainModal() }
  const { networks, network, switchNetwork } = useNetwork()
  const actions: Readonly<Record<string, () => unknown>> = {
    default: () => open(),
    switch: () => open({ view: route('SwitchNetwork', { network: 'eip155:10' }) }),
    'networks of eip155': () => open({ namespace: 'eip155', view: route('Networks') }),
    close: () => close(),
    ...Object.fromEntries(Object.entries(handles).map(([name, handle]) => [name, handle.open])),
    ...Object.fromEntries(
      networks.map(({ name, caipNetworkId }) => [`choose ${name}`, () => switchNetwork(caipNetworkId)]),
    ),
  }
  return (
    <>
      <p>{isOpen ? `open: ${view}` : 'closed'}</p>
      <p>on {network?.name}</p>
      {Object.entries(actions).map(([name, action]) => (
        <button key={name} type="button" onClick={() => void action()}>
          {name}
        </button>
      ))}
    </>
  )
}

async function show(options: LatchkeyOptions = {}): Promise<Latchkey> {
  const latchkey = createLatchkey({
    storage: memoryStorage(),
    adapters: [fakeAdapter({ wallets: [fakeWallet({ name: 'Acorn', auto: true })] })],
    ...options,
  })
  await render(
    <LatchkeyProvider latchkey={latchkey}>
      <HostButtons />
    </LatchkeyProvider>,
  )
  await expect.poll(() => latchkey.shown().length).toBe(1)
  return latchkey
}

// The click is dispatched directly, because users cannot click the page behind an open modal.
const press = (name: string) => {
  const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name)
  if (!button) throw new Error(`There is no button "${name}"`)
  button.click()
}
const stackOf = (latchkey: Latchkey) => latchkey.state.get().modal.stack

test('open() without a view opens Connect, or Account if a wallet is connected [R2.5]', async () => {
  const latchkey = await show()
  press('default')
  await expect.element(page.getByText('open: Connect')).toBeInTheDocument()
  press('close')
  await expect.element(page.getByText('closed')).toBeInTheDocument()
  await latchkey.connect({ connectorId: 'fake.acorn' })
  press('default')
  await expect.element(page.getByText('open: Account')).toBeInTheDocument()
})

test('open() with a view opens that view with its data, whether or not a wallet is connected [R2.4]', async () => {
  const latchkey = await show()
  const expected = [route('SwitchNetwork', { network: 'eip155:10' })]
  press('switch')
  await expect.element(page.getByText('open: SwitchNetwork')).toBeInTheDocument()
  expect(stackOf(latchkey)).toEqual(expected)
  press('close')
  press('networks of eip155')
  await expect.element(page.getByText('open: Networks')).toBeInTheDocument()
  press('close')
  await latchkey.connect({ connectorId: 'fake.acorn' })
  press('networks of eip155')
  await expect.element(page.getByText('open: Networks')).toBeInTheDocument()
})

test('open() ignores the requested view if manualWalletConnect is set [R2.3]', async () => {
  const latchkey = await show({ manualWalletConnect: true, platform: 'desktop' })
  for (const name of ['default', 'switch', 'connect', 'networks']) {
    press(name)
    expect([name, stackOf(latchkey)]).toEqual([name, [route('ConnectingWalletConnectBasic')]])
    press('close')
  }
})

test('useConnectModal(), useAccountModal() and useChainModal() only open a view that is available [R2.4]', async () => {
  const latchkey = await show()
  press('account')
  expect(latchkey.state.get().modal.open).toBe(false)
  press('connect')
  await expect.element(page.getByText('open: Connect')).toBeInTheDocument()
  press('close')
  press('networks')
  await expect.element(page.getByText('open: Networks')).toBeInTheDocument()
  press('close')
  await latchkey.connect({ connectorId: 'fake.acorn' })
  await expect.element(page.getByText('closed')).toBeInTheDocument()
  press('connect')
  expect(latchkey.state.get().modal.open).toBe(false)
  press('account')
  await expect.element(page.getByText('open: Account')).toBeInTheDocument()
})

test('useNetwork() lists the host’s networks and switches between them, whether or not a wallet is connected [R1.13]', async () => {
  const latchkey = await show()
  await expect.element(page.getByText('on Ethereum')).toBeVisible()
  expect(
    page
      .getByRole('button', { name: /^choose/ })
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual(['choose Ethereum', 'choose Optimism'])
  press('choose Optimism')
  await expect.element(page.getByText('on Optimism')).toBeVisible()
  await latchkey.connect({ connectorId: 'fake.acorn' })
  await expect.element(page.getByText('on Ethereum')).toBeVisible()
  press('choose Optimism')
  await expect.element(page.getByText('on Optimism')).toBeVisible()
  expect(latchkey.session()?.chain).toBe('eip155:10')
})
