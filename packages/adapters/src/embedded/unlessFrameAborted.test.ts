import { expect, test } from 'vitest'
import { unlessFrameAborted } from './unlessFrameAborted.ts'

test('aborting rejects one caller while the work continues for other callers', async () => {
  const controller = new AbortController()
  let finish = (_: string): void => undefined
  const work = new Promise<string>((resolve) => (finish = resolve))
  const waits = unlessFrameAborted(work, controller.signal)
  controller.abort()
  await expect(waits).rejects.toMatchObject({ code: 'frame/aborted' })
  finish('done')
  expect(await unlessFrameAborted(work, undefined)).toBe('done')
})
