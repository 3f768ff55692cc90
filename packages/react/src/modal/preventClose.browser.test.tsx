import { createLatchkey, type Latchkey, route } from '@latchkey/core'
import { fakeAuthentication } from '@latchkey/core/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { ConnectButton } from '../buttons/ConnectButton.tsx'
import { LatchkeyProvider } from '../LatchkeyProvider.tsx'
import { fakeAdapter, fakeWallet, memoryStorage } from '../testing/fakeWallet.ts'

const shadow = (): ShadowRoot => document.querySelector('latchkey-modal')?.shadowRoot as ShadowRoot
const dialog = (): HTMLDialogElement => shadow().querySelector('dialog') as HTMLDialogElement
const card = (): HTMLElement => shadow().querySelector('.card') as HTMLElement

/** A fake `CloseWatcher`, the API that reports Android's back gesture in Chromium. */
class Watcher {
  static all: Watcher[] = []
  onclose: (() => void) | null = null
  constructor() {
    Watcher.all.push(this)
  }
  destroy(): void {
    Watcher.all = Watcher.all.filter((other) => other !== this)
  }
  static back(): void {
    const last = Watcher.all.pop()
    last?.onclose?.()
  }
}
const own = (window as { CloseWatcher?: unknown }).CloseWatcher

beforeEach(async () => {
  Watcher.all = []
  Object.assign(window, { CloseWatcher: Watcher })
  // On a phone-sized viewport, the sheet can be swiped away.
  await page.viewport(400, 800)
})

afterEach(async () => {
  await cleanup()
  Object.assign(window, { CloseWatcher: own })
  await page.viewport(800, 700)
})

async function arrive(options: Parameters<typeof createLatchkey>[0]): Promise<Latchkey> {
  const latchkey = createLatchkey({
    storage: memoryStorage(),
    adapters: [fakeAdapter({ wallets: [fakeWallet({ name: 'Acorn', auto: true })] })],
    ...options,
  })
  await render(
    <LatchkeyProvider latchkey={latchkey}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  await expect.poll(() => latchkey.shown().length).toBe(1)
  return latchkey
}

const viewOf = (latchkey: Latchkey) => latchkey.state.get().modal.stack.at(-1)?.view

/** The ways in which a user can try to close the modal without responding to a prompt. */
const closings: Readonly<Record<string, () => Promise<void>>> = {
  Escape: () => userEvent.keyboard('{Escape}'),
  back: async () => Watcher.back(),
  backdrop: async () => {
    dialog().dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, composed: true }))
    dialog().dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true }))
  },
  swipe: async () => {
    // The modal loads this module when it opens.
    await import('./swipeToDismiss.ts')
    const { top, left } = card().getBoundingClientRect()
    const at = (type: string, y: number) => {
      const init = { pointerId: 1, isPrimary: true, button: 0, bubbles: true, composed: true }
      card().dispatchEvent(new PointerEvent(type, { ...init, clientX: left + 4, clientY: y }))
    }
    // Synthetic events have no pointer that could be captured.
    card().setPointerCapture = () => {}
    at('pointerdown', top + 4)
    at('pointermove', top + 700)
    at('pointerup', top + 700)
  },
}

async function holds(latchkey: Latchkey, heading: string): Promise<void> {
  const view = viewOf(latchkey)
  for (const [name, leave] of Object.entries(closings)) {
    for (let press = 1; press <= 5; press++) {
      await leave()
      expect([name, latchkey.state.get().modal.open, viewOf(latchkey)]).toEqual([name, true, view])
      expect(latchkey.state.get().modal.shaking).toBe(true)
    }
    expect(dialog().open).toBe(true)
    await expect.element(page.getByRole('dialog', { name: heading })).toBeVisible()
  }
}

test('an approval stays open on Escape, the back gesture, a backdrop click or a swipe, and its close button rejects the request [R2.6]', async () => {
  const latchkey = await arrive({})
  await latchkey.connect({ connectorId: 'fake.acorn' })
  latchkey.modal.open({ view: route('Account') })
  latchkey.modal.push('ApproveTransaction', { requestId: 'r1' })
  await expect.element(page.getByRole('dialog', { name: 'Approve' })).toBeVisible()
  await holds(latchkey, 'Approve')
  await page.getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => latchkey.state.get().modal.open).toBe(false)
  expect(latchkey.account().status).toBe('connected')
})

test('a required sign-in stays open however the user tries to close it, but Cancel closes it and disconnects the wallet [R2.8]', async () => {
  const latchkey = await arrive({ signIn: 'required', authentication: fakeAuthentication() })
  await latchkey.connect({ connectorId: 'fake.acorn' })
  await expect.element(page.getByRole('dialog', { name: 'Sign in' })).toBeVisible()
  await holds(latchkey, 'Sign in')
  // Unlike the close button of an approval, this close button does not reject the sign-in.
  for (let press = 1; press <= 3; press++) {
    await page.getByRole('button', { name: 'Close' }).click()
    expect([latchkey.state.get().modal.open, viewOf(latchkey)]).toEqual([true, 'SIWXSignMessage'])
    expect(latchkey.account().status).toBe('connected')
  }
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => latchkey.account().status).toBe('disconnected')
})

test('an optional sign-in can be closed with Escape, the back gesture, the backdrop, a swipe or the close button [R2.8] [R1.12]', async () => {
  const latchkey = await arrive({ signIn: 'optional', authentication: fakeAuthentication() })
  await latchkey.connect({ connectorId: 'fake.acorn' })
  const close = async () => page.getByRole('button', { name: 'Close' }).click()
  for (const leave of [...Object.values(closings), close]) {
    latchkey.modal.open({ view: route('SIWXSignMessage') })
    await expect.element(page.getByRole('dialog', { name: 'Sign in' })).toBeVisible()
    await leave()
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
    expect(latchkey.account().status).toBe('connected')
  }
})

test('the back gesture goes back one view, but closes the modal if there is no previous view or UnsupportedChain is in the stack [R2.9] [R2.2]', async () => {
  const latchkey = await arrive({})
  latchkey.modal.open()
  latchkey.modal.push('WhatIsAWallet')
  await expect.element(page.getByRole('dialog', { name: 'What is a wallet?' })).toBeVisible()
  Watcher.back()
  await expect.element(page.getByRole('dialog', { name: 'Connect a wallet' })).toBeVisible()
  Watcher.back()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  latchkey.modal.open({ view: route('UnsupportedChain') })
  latchkey.modal.push('WhatIsANetwork')
  await expect.element(page.getByRole('dialog')).toBeVisible()
  Watcher.back()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('Connect can be closed with Escape, the back gesture, the backdrop or a swipe [R4.6] [R2.9]', async () => {
  const latchkey = await arrive({})
  for (const leave of Object.values(closings)) {
    latchkey.modal.open()
    await expect.element(page.getByRole('dialog', { name: 'Connect a wallet' })).toBeVisible()
    await leave()
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  }
})
