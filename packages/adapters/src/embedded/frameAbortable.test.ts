import { expect, test } from 'vitest'
import { frameAbortable } from './frameAbortable.ts'

test('aborting rejects one caller while the work continues for other callers', async () => {
  const controller = new AbortController()
  let finish = (_: string): void => undefined
  const work = new Promise<string>((resolve) => (finish = resolve))
  const waits = frameAbortable(work, controller.signal)
  controller.abort()
  await expect(waits).rejects.toMatchObject({ code: 'frame/aborted' })
  finish('done')
  expect(await frameAbortable(work, undefined)).toBe('done')
})
