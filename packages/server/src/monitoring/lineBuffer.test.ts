import { expect, test } from 'vitest'
import { createLineBuffer } from './lineBuffer.ts'

test('writes all lines from one turn of the event loop together, in order, and those from the next turn separately', () => {
  const written: string[] = []
  const tasks: (() => void)[] = []
  const buffer = createLineBuffer({ write: (text) => written.push(text), defer: (task) => tasks.push(task) })
  buffer.add('one\n')
  buffer.add('two\n')
  expect(written).toEqual([])
  for (const task of tasks.splice(0)) task()
  buffer.add('three\n')
  for (const task of tasks.splice(0)) task()
  expect(written).toEqual(['one\ntwo\n', 'three\n'])
})

test('a flush writes the lines immediately, and they are not written again', () => {
  const written: string[] = []
  const tasks: (() => void)[] = []
  const buffer = createLineBuffer({ write: (text) => written.push(text), defer: (task) => tasks.push(task) })
  buffer.add('last\n')
  buffer.flush()
  expect(written).toEqual(['last\n'])
  for (const task of tasks) task()
  expect(written).toEqual(['last\n'])
})

test('a line that is added while others are written is written in the next turn', async () => {
  const written: string[] = []
  const buffer = createLineBuffer({
    write: (text) => {
      written.push(text)
      if (text === 'one\n') buffer.add('two\n')
    },
  })
  buffer.add('one\n')
  await expect.poll(() => written).toEqual(['one\n', 'two\n'])
})
