import type { Namespace } from '@latchkey/protocol/caip'
import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import type { State } from '../latchkeyTypes.ts'
import { createStore } from '../lib/store.ts'
import { closedModal, createModal } from './modal.ts'
import type { RouterContext } from './router.ts'
import { route } from './views.ts'

function modalOf(context: Partial<RouterContext> = {}, { embedded = false } = {}) {
  const state = createStore<State['modal']>(closedModal)
  const calls: unknown[] = []
  const modal = createModal({
    state,
    clock: fakeClock(),
    log: { info: (text: string) => void calls.push(text) } as never,
    embedded,
    routerContext: () => ({
      connected: false,
      adapters: 1,
      mobile: false,
      manual: false,
      signIn: 'off',
      signedIn: false,
      ...context,
    }),
    activateNamespace: (namespace: Namespace) => void calls.push(`activate ${namespace}`),
    filter: (namespace) => void calls.push(`filter ${namespace}`),
    track: ({ event, ...more }) => void calls.push([event, 'properties' in more ? more.properties : undefined]),
    closed: () => void calls.push('closed'),
  })
  const views = () => state.get().stack.map(({ view }) => view)
  return { modal, state, calls, views }
}

test('closing the modal resets its navigation stack and loading state', () => {
  const { modal, state, calls, views } = modalOf()
  modal.open({ view: route('Account'), namespace: 'solana' })
  modal.push('Networks')
  expect([views(), state.get().loading, state.get().loadingBy]).toEqual([
    ['Account', 'Networks'],
    true,
    { solana: true },
  ])
  expect(modal.close()).toBe(true)
  expect(views()).toEqual(['Connect'])
  expect(state.get()).toMatchObject({ open: false, loading: false, loadingBy: {}, shaking: false })
  expect(calls).toEqual([
    'filter solana',
    'activate solana',
    ['MODAL_OPEN', { connected: false }],
    ['MODAL_CLOSE', { connected: false }],
    'closed',
  ])
})

test('closing a closed modal has no effect', () => {
  const { modal, calls } = modalOf()
  expect(modal.close()).toBe(true)
  expect(calls).toEqual([])
})

test('closing an embedded modal shows its first view again and sends no event', () => {
  const { modal, calls, views } = modalOf({ connected: true }, { embedded: true })
  modal.push('Networks')
  expect(modal.close()).toBe(true)
  expect([views(), calls]).toEqual([['Account'], ['closed']])
})

test('opening without a namespace clears the filter, and does not activate a network', () => {
  const { modal, calls, state } = modalOf({ connected: true })
  modal.open()
  expect(calls).toEqual(['filter undefined', ['MODAL_OPEN', { connected: true }]])
  expect(state.get().loadingBy).toEqual({})
})

test('a view that does not exist is not displayed, and a message is logged for the developer', () => {
  const { modal, calls, views } = modalOf()
  modal.open({ view: route('Checkout' as 'Connect') })
  expect(views()).toEqual(['Connect'])
  modal.push('Checkout' as 'Connect')
  expect(views()).toEqual(['Connect'])
  expect(calls.filter((call) => typeof call === 'string' && call.includes('Checkout'))).toEqual([
    'The view Checkout is not implemented.',
    'The view Checkout is not implemented.',
  ])
})

test('after an approval or a network selection, the modal shows the previous view, or closes if there is none', () => {
  const { modal, state, views } = modalOf({ connected: true })
  modal.open({ view: route('Account') })
  modal.push('ApproveTransaction', { requestId: '1' })
  modal.afterApproval()
  expect(views()).toEqual(['Account'])
  modal.push('Networks')
  modal.afterSwitch()
  expect(views()).toEqual(['Account'])
  modal.reset('Networks')
  modal.afterSwitch()
  expect(state.get().open).toBe(false)
  modal.open()
  modal.reset('ApproveTransaction', { requestId: '1' })
  expect(modal.close()).toBe(false)
  modal.afterApproval()
  expect(state.get().open).toBe(false)
})
