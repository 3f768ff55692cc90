import { expect, test } from 'vitest'
import { createEventEmitter } from './eventEmitter.ts'

test('an event reaches its listeners until they are removed', () => {
  const events = createEventEmitter<{ first: number; second: string }>()
  const received: unknown[] = []
  const remove = events.on('first', (event) => received.push(event))
  events.on('second', (event) => received.push(event))
  events.emit('first', 1)
  events.emit('second', 'two')
  remove()
  events.emit('first', 3)
  expect(received).toEqual([1, 'two'])
  expect([events.hasListener('first'), events.hasListener('second')]).toEqual([false, true])
})

test('a listener that is added during an event receives only later events', () => {
  const events = createEventEmitter<{ tick: number }>()
  const received: number[] = []
  events.on('tick', () => events.on('tick', (event) => received.push(event)))
  events.emit('tick', 1)
  events.emit('tick', 2)
  expect(received).toEqual([2])
})
