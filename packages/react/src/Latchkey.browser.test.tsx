import { createLatchkey, type LatchkeyOptions } from '@latchkey/core'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { defineLatchkeyButton, type LatchkeyButtonElement } from './embed/customElement.ts'
import { mountLatchkey } from './embed/mountLatchkey.tsx'
import { Latchkey } from './Latchkey.tsx'
import { lazyEvmAdapter } from './lazyEvmAdapter.ts'
import { fakeAdapter, fakeWallet, memoryStorage } from './testing/fakeWallet.ts'

afterEach(async () => {
  await cleanup()
  for (const left of document.querySelectorAll('[data-test], latchkey-button')) left.remove()
})

const fakes = (): LatchkeyOptions => ({
  storage: memoryStorage(),
  adapters: [fakeAdapter({ wallets: [fakeWallet({ name: 'Acorn', auto: true })] })],
})

test('if <Latchkey /> has no options, its button opens a dialog from which the user can get a wallet', async () => {
  await render(<Latchkey />)
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Connect a wallet' })).toBeVisible()
  await page.getByRole('button', { name: 'Get a wallet' }).first().click()
  await expect.element(page.getByRole('dialog', { name: 'Get a wallet' })).toBeVisible()
  await expect.element(page.getByText('MetaMask')).toBeVisible()
})

test('the lazy adapter is fetched only once, even if a wallet is announced and load() is called', async () => {
  let loads = 0
  const lazy = lazyEvmAdapter(async () => {
    loads++
    return fakeAdapter({ wallets: [fakeWallet({ name: 'Acorn' })] })
  })
  const names: string[] = []
  const leave = new AbortController()
  lazy.adapter.discover((connector) => names.push(connector.name), leave.signal)
  expect(loads).toBe(0)
  window.dispatchEvent(new CustomEvent('eip6963:announceProvider'))
  lazy.load()
  await expect.poll(() => names).toEqual(['Acorn'])
  expect(loads).toBe(1)
})

test('the lazy adapter reports no wallets after discovery has been aborted', async () => {
  const lazy = lazyEvmAdapter(async () => fakeAdapter({ wallets: [fakeWallet({ name: 'Acorn' })] }))
  const leave = new AbortController()
  let found = 0
  lazy.adapter.discover(() => found++, leave.signal)
  leave.abort()
  lazy.load()
  await lazy.adapter.balance?.({
    account: 'eip155:1:0x0',
    network: lazy.adapter.describe?.('eip155:1') as never,
    signal: leave.signal,
  })
  expect(found).toBe(0)
})

test('a page that does not use React can mount the button, receive the connect event and unmount the button', async () => {
  const place = document.createElement('div')
  place.dataset.test = ''
  document.body.append(place)
  const { latchkey, unmount } = mountLatchkey(place, { ...fakes(), label: 'Start' })
  const received: string[] = []
  latchkey.on('connect', ({ account }) => received.push(account))
  await page.getByRole('button', { name: 'Start' }).click()
  await page.getByRole('button', { name: /Acorn/ }).click()
  await expect.element(page.getByRole('button', { name: /Account 0xAb58/ })).toBeVisible()
  expect(received).toHaveLength(1)
  unmount()
  expect(place.childElementCount).toBe(0)
})

test('<latchkey-button> renders the button, dispatches DOM events and stops its instance when it is removed', async () => {
  defineLatchkeyButton()
  defineLatchkeyButton()
  const element = document.createElement('latchkey-button') as LatchkeyButtonElement
  element.setAttribute('label', 'Enter')
  element.options = fakes()
  const received: unknown[] = []
  document.addEventListener('latchkey-connect', (event) => received.push((event as CustomEvent).detail), { once: true })
  document.body.append(element)
  await page.getByRole('button', { name: 'Enter' }).click()
  await page.getByRole('button', { name: /Acorn/ }).click()
  await expect.poll(() => received.length).toBe(1)
  element.remove()
  expect(element.latchkey).toBeUndefined()
})

test('createLatchkey does not send any requests', () => {
  const before = performance.getEntriesByType('resource').length
  createLatchkey({ storage: memoryStorage() })
  expect(performance.getEntriesByType('resource').length).toBe(before)
})
