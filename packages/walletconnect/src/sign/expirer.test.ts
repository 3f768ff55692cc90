import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import { createExpirer, type ExpiryTarget, expiryTarget } from './expirer.ts'

test.each([
  'id:1',
  'id:1700000000000123',
  'topic:a',
  'topic:7',
  'topic:7f6e504bfad60b485450578e05678ed3e8e8c4751d3c6160be17160d63ec90f9',
])('%s is a valid target [R5.16]', async (target) => {
  expect(expiryTarget(target)).toBe(target)
  const clock = fakeClock(0)
  let expired = 0
  createExpirer(clock).set(target as ExpiryTarget, 1, () => expired++)
  await clock.pass(1_000)
  expect(expired).toBe(1)
})

test.each([
  ...['', 'id', 'id:', 'id:x', 'id:1.5', 'id:-1', 'id:0x1', 'id: 1', 'id:1:2', 'id:12345678901234567'],
  ...['topic', 'topic:', 'topic:a:b', 'pairing:7', '7', ':7', 'ID:7', 'Topic:a'],
])('"%s" is rejected with an error that lists the valid formats [R5.16, R8.9]', (target) => {
  const { set } = createExpirer(fakeClock())
  expect(() => set(target as ExpiryTarget, 0, () => {})).toThrow('Invalid target, expected id:number or topic:string')
})

test('a callback is called once when its target expires, unless the callback was removed or replaced', async () => {
  const clock = fakeClock(0)
  const expired: string[] = []
  const expirer = createExpirer(clock)
  expirer.set('id:1', 10, () => expired.push('one'))
  expirer.set('id:2', 10, () => expired.push('two'))
  expirer.set('topic:a', 10, () => expired.push('a'))
  expirer.remove('id:2')
  expirer.set('topic:a', 20, () => expired.push('a, later'))
  await clock.pass(10_000)
  expect(expired).toEqual(['one'])
  await clock.pass(100_000)
  expect(expired).toEqual(['one', 'a, later'])
})

test('the callback for an expiry that is a month away is not called early', async () => {
  const clock = fakeClock(0)
  let expired = 0
  createExpirer(clock).set('topic:a', 30 * 86_400, () => expired++)
  await clock.pass(29 * 86_400_000)
  expect(expired).toBe(0)
  await clock.pass(86_400_000)
  expect(expired).toBe(1)
})
