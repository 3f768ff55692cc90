import { expect, test } from 'vitest'
import { createSerialRequests } from './serialRequests.ts'

test('each task starts after the previous task has ended, even if the previous task failed', async () => {
  const serial = createSerialRequests()
  const heard: string[] = []
  let fail = (_: Error): void => {}
  const first = serial(() => {
    heard.push('first starts')
    return new Promise<never>((_, reject) => {
      fail = reject
    })
  })
  const second = serial(async () => heard.push('second starts'))
  await Promise.resolve()
  expect(heard).toEqual(['first starts'])
  fail(new Error('no server'))
  await expect(first).rejects.toThrow('no server')
  await second
  expect(heard).toEqual(['first starts', 'second starts'])
})
