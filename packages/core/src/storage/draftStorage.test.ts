import * as v from 'valibot'
import { expect, test } from 'vitest'
import { createLog } from '../lib/log.ts'
import { memoryStorage } from '../testing/memoryStorage.ts'
import { draftEntry } from './draftStorage.ts'

const schema = v.object({ amount: v.string() })
const log = createLog({ now: () => 0, level: 'silent' })

test('each form of each instance has a separate draft, which is kept until it is cleared', () => {
  const storage = memoryStorage()
  const draft = draftEntry({ storage: () => storage, log }, 'send', schema)
  draft.set({ amount: '1.5' })
  expect(draftEntry({ storage: () => storage, log }, 'send', schema).get()).toEqual({ amount: '1.5' })
  expect(draftEntry({ storage: () => storage, log }, 'swap', schema).get()).toBeUndefined()
  expect(draftEntry({ storage: () => storage, log, id: 'second' }, 'send', schema).get()).toBeUndefined()
  draft.clear()
  expect(draft.get()).toBeUndefined()
})

test.each([
  ['of another form', '{"amount":5}'],
  ['that is not JSON', '{'],
  ['that is too long', JSON.stringify({ amount: '1'.repeat(10_000) })],
])('a draft %s is ignored', (_, text) => {
  const storage = memoryStorage({ '@latchkey/draft_send': text })
  expect(draftEntry({ storage: () => storage, log }, 'send', schema).get()).toBeUndefined()
})

test('if access to storage is denied, there are no drafts', () => {
  const storage = () => {
    throw new Error('denied')
  }
  const draft = draftEntry({ storage, log }, 'send', schema)
  draft.set({ amount: '1' })
  expect(draft.get()).toBeUndefined()
})
