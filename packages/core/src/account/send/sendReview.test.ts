import { fakeClock } from '@latchkey/protocol/testing'
import { describe, expect, test } from 'vitest'
import { fakeNetwork } from '../../testing/fakeAdapter.ts'
import type { PortfolioSubject, Token } from '../portfolioTypes.ts'
import { initialState } from './deriveSendState.ts'
import { createSendReview, reviewToSubmit } from './sendReview.ts'
import type { SendReview, SendState, SendWarning } from './sendTypes.ts'

const to = '0x2546BcD3c84621e976D8185a91A922aE77ECEc30'
const complete: SendState = {
  ...initialState,
  step: 'review',
  token: { id: 'native', amount: 10n } as Token,
  amount: 4n,
  recipient: { text: 'bob.eth', status: 'ready', address: to, name: 'bob.eth' },
}

function sendReview(start: SendState = complete) {
  const clock = fakeClock()
  let state = start
  let estimates = 0
  const review = createSendReview({
    clock,
    state: () => state,
    subject: () => ({ account: 'eip155:1:own', network: fakeNetwork('eip155:1') }) as unknown as PortfolioSubject,
    publish(change) {
      state = { ...state, ...change }
    },
    repeatFeeEstimate: () => estimates++,
  })
  return { review, clock, state: () => state, estimates: () => estimates }
}

describe('the review of a transfer', () => {
  test('contains exactly the transfer in the form, and clears an earlier failure and confirmation', () => {
    const failed = { status: 'failed' } as SendState['transfer']
    const { review, state } = sendReview({ ...complete, warningsConfirmed: true, transfer: failed })
    expect(review.start()).toBe(true)
    expect(state()).toMatchObject({
      review: { account: 'eip155:1:own', chain: 'eip155:1', amount: 4n, to, name: 'bob.eth' },
      warningsConfirmed: false,
      transfer: { status: 'idle' },
    })
  })

  test('does not open for an incomplete transfer', () => {
    for (const missing of [{ step: 'no-recipient' }, { token: undefined }, { amount: undefined }, { recipient: {} }]) {
      const { review, state } = sendReview({ ...complete, ...missing } as SendState)
      expect(review.start()).toBe(false)
      expect(state().review).toBeUndefined()
    }
  })

  test('estimates the fee every 15 seconds until it ends', async () => {
    const { review, clock, state, estimates } = sendReview()
    review.start()
    review.start()
    await clock.pass(45_000)
    expect(estimates()).toBe(3)
    review.end()
    expect([state().review, clock.waiting]).toEqual([undefined, 0])
  })
})

describe('reviewToSubmit', () => {
  const review = { amount: 4n } as SendReview
  const warnings = (...value: Partial<SendWarning>[]) =>
    ({ status: 'ready', value }) as unknown as SendState['warnings']

  test('returns the review if there are no serious warnings or all of them are confirmed', () => {
    expect(reviewToSubmit({ ...complete, review, warnings: warnings({ kind: 'first-time' }) })).toBe(review)
    const serious = warnings({ kind: 'contract', isSerious: true })
    expect(reviewToSubmit({ ...complete, review, warnings: serious, warningsConfirmed: true })).toBe(review)
  })

  test.each([
    ['without a review', {}, 'send/changed'],
    ['while the warnings are loading', { review, warnings: { status: 'loading' } }, 'input/invalid'],
    ['with a serious warning', { review, warnings: warnings({ kind: 'contract', isSerious: true }) }, 'input/invalid'],
    [
      'with wrong decimals, even if that is confirmed',
      { review, warnings: warnings({ kind: 'decimals', isSerious: true }), warningsConfirmed: true },
      'send/would-fail',
    ],
  ] as const)('throws %s', (_, change, code) => {
    expect(() => reviewToSubmit({ ...complete, ...change } as SendState)).toThrow(expect.objectContaining({ code }))
  })
})
