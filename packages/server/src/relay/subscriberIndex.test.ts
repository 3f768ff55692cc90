import { expect, test } from 'vitest'
import { createSubscriberIndex } from './subscriberIndex.ts'

test('a topic lists each of its subscribers once and is empty after the last one is removed', () => {
  const subscribers = createSubscriberIndex<{ name: string }>()
  const [ada, bob] = [{ name: 'ada' }, { name: 'bob' }]
  const listed = () => [...subscribers.of('topic')]
  expect([listed(), subscribers.count('topic')]).toEqual([[], 0])
  subscribers.add('topic', ada)
  expect([listed(), subscribers.count('topic')]).toEqual([[ada], 1])
  subscribers.add('topic', bob)
  subscribers.add('topic', bob)
  subscribers.add('other', ada)
  expect([listed(), subscribers.count('topic'), subscribers.count('other')]).toEqual([[ada, bob], 2, 1])
  expect([...subscribers.all()]).toEqual([ada, bob])
  expect([subscribers.remove('topic', ada), listed()]).toEqual([false, [bob]])
  expect([subscribers.remove('topic', bob), listed(), subscribers.count('topic')]).toEqual([true, [], 0])
  expect([...subscribers.all()]).toEqual([ada])
})
