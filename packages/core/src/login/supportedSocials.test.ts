import { expect, test } from 'vitest'
import { fakeClock, fakeLatchkey } from '../testing/index.ts'
import { createWalletSocials } from './supportedSocials.ts'

function availability(request: () => Promise<readonly string[] | undefined>) {
  const clock = fakeClock()
  const { state, modal } = fakeLatchkey({
    state: (initial) => ({
      ...initial,
      modal: { ...initial.modal, open: false },
      wallets: { ...initial.wallets, socials: 'loading' },
    }),
  })
  let requests = 0
  const socials = createWalletSocials({
    state,
    embedded: false,
    request() {
      requests += 1
      return request()
    },
    clock,
    log: { error() {} },
  })
  return { ...socials, state, modal, clock, requests: () => requests, shown: () => state.get().wallets.socials }
}

test('the social logins are requested once, when the connect view opens', async () => {
  const { start, modal, clock, requests, shown } = availability(async () => ['google'])
  start()
  await clock.pass(0)
  expect(requests()).toBe(0)
  modal.open()
  modal.open()
  await clock.pass(0)
  expect(requests()).toBe(1)
  expect(shown()).toEqual(['google'])
})

test('all social logins are assumed to be available if there is no response after two seconds', async () => {
  const { start, modal, clock, shown } = availability(() => new Promise(() => {}))
  start()
  modal.open()
  await clock.pass(1_999)
  expect(shown()).toBe('loading')
  await clock.pass(1)
  expect(shown()).toBeUndefined()
})

test('a list from the embedded wallet takes precedence, and does not change a view that is already displayed', async () => {
  let answer = (_: readonly string[]) => {}
  const { start, set, modal, clock, shown } = availability(
    () =>
      new Promise((resolve) => {
        answer = resolve
      }),
  )
  start()
  modal.open()
  set(['x'])
  answer(['google'])
  await clock.pass(0)
  modal.close()
  expect(shown()).toEqual(['x'])
  modal.open()
  set(['apple'])
  expect(shown()).toEqual(['x'])
  modal.close()
  expect(shown()).toEqual(['apple'])
})

test('stop() prevents further requests and changes', async () => {
  const { start, stop, modal, clock, requests, shown } = availability(async () => ['google'])
  start()
  modal.open()
  stop()
  await clock.pass(0)
  expect(shown()).toBeUndefined()
  expect(requests()).toBe(1)
  const idle = availability(async () => ['google'])
  idle.start()
  idle.stop()
  idle.modal.open()
  expect(idle.requests()).toBe(0)
})
