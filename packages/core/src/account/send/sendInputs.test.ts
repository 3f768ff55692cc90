import { describe, expect, test } from 'vitest'
import { createLog } from '../../lib/log.ts'
import { draftEntry } from '../../storage/draftStorage.ts'
import { memoryStorage } from '../../testing/memoryStorage.ts'
import { initialState } from './deriveSendState.ts'
import { emptyInputs, sendDraft } from './sendDraft.ts'
import type { SendReview, SendState } from './sendTypes.ts'
import { createStoredInputs } from './storedInputs.ts'

const token = { id: 'native', decimals: 6, price: { amount: '3', at: 0 } } as unknown as SendState['token']

function storedInputs(storage = memoryStorage()) {
  const log = createLog({ now: () => 0, level: 'silent' })
  const draft = draftEntry({ storage: () => storage, log }, 'send', sendDraft)
  const calls: string[] = []
  const inputs = createStoredInputs({
    draft,
    state: () => ({ ...initialState, token, amount: 1_234_567n }),
    changed: () => calls.push('changed'),
    lookUp: (now) => calls.push(now ? 'look up now' : 'look up'),
  })
  return { inputs, draft, calls, storage }
}

describe('the inputs of the send form', () => {
  test('are stored on every change, and restored', () => {
    const { inputs, storage } = storedInputs()
    inputs.setters.setAmount('1.5')
    inputs.setters.setRecipient('bob.eth')
    expect(storedInputs(storage).inputs.get()).toEqual({ ...emptyInputs, amount: '1.5', recipient: 'bob.eth' })
  })

  test('look up the recipient only if it has changed', () => {
    const { inputs, calls } = storedInputs()
    inputs.setters.setRecipient('bob.eth')
    inputs.setters.setRecipient('bob.eth')
    expect(calls).toEqual(['changed', 'look up'])
  })

  test('keep the exact amount when the unit changes, until another amount is entered', () => {
    const { inputs } = storedInputs()
    inputs.setters.setUnit('fiat')
    expect(inputs.get()).toMatchObject({ unit: 'fiat', amount: '3.70', exact: '1234567' })
    inputs.setters.setAmount('4')
    expect(inputs.get()).not.toHaveProperty('exact')
  })

  test('are no longer the maximum when another token is selected, but keep an entered amount', () => {
    const { inputs } = storedInputs()
    inputs.setters.setMax()
    expect(inputs.get()).toMatchObject({ isMax: true, unit: 'token' })
    inputs.setters.setToken('other')
    expect(inputs.get()).toMatchObject({ token: 'other', amount: '', isMax: false })
    inputs.setters.setAmount('2')
    inputs.setters.setToken('native')
    expect(inputs.get()).toMatchObject({ token: 'native', amount: '2' })
  })

  test('are filled in with the host’s values, in the token’s unit, and the others are kept', () => {
    const { inputs, calls } = storedInputs()
    inputs.setters.setUnit('fiat')
    inputs.fill({ amount: '7' })
    expect(inputs.get()).toMatchObject({ amount: '7', unit: 'token', recipient: '' })
    inputs.fill({ to: 'bob.eth' })
    expect(inputs.get()).toMatchObject({ amount: '7', recipient: 'bob.eth' })
    expect(calls.at(-1)).toBe('look up now')
  })

  test('are cleared except for the token, and the cleared inputs are stored', () => {
    const { inputs, draft, calls } = storedInputs()
    inputs.setters.setToken('other')
    inputs.setters.setAmount('2')
    inputs.clear()
    expect([inputs.get(), draft.get()?.inputs]).toEqual(Array(2).fill({ ...emptyInputs, token: 'other' }))
    expect(calls.at(-1)).toBe('look up')
  })

  test('are restored from a transfer that was not executed, unless another one was begun', () => {
    const { inputs } = storedInputs()
    const review = { token: { id: 'other', decimals: 6 }, amount: 1_500_000n, to: '0x1', name: 'bob.eth' }
    inputs.restore(review as unknown as SendReview)
    expect(inputs.get()).toMatchObject({ token: 'other', amount: '1.5', recipient: 'bob.eth' })
    inputs.restore({ ...review, amount: 1n } as unknown as SendReview)
    expect(inputs.get().amount).toBe('1.5')
  })
})
