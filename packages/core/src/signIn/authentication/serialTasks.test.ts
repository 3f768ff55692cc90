import { expect, test } from 'vitest'
import { createSerialTasks } from './serialTasks.ts'

test('each task starts after the previous task has ended, even if the previous task failed', async () => {
  const serial = createSerialTasks()
  const order: string[] = []
  let fail = (_: Error): void => {}
  const first = serial(() => {
    order.push('first starts')
    return new Promise<never>((_, reject) => {
      fail = reject
    })
  })
  const second = serial(async () => order.push('second starts'))
  await Promise.resolve()
  expect(order).toEqual(['first starts'])
  fail(new Error('no server'))
  await expect(first).rejects.toThrow('no server')
  await second
  expect(order).toEqual(['first starts', 'second starts'])
})
