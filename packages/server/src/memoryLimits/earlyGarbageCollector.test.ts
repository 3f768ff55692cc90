import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createEarlyGarbageCollector } from './earlyGarbageCollector.ts'

const mebibyte = 1_048_576

/** Resolves to whether the buffer is freed within `ms`. */
async function isFreed(buffer: WeakRef<Buffer>, ms: number): Promise<boolean> {
  const until = performance.now() + ms
  while (buffer.deref() && performance.now() < until) await turn()
  return buffer.deref() === undefined
}

/** Returns a buffer that nothing uses, and that minor collections no longer free. */
function unusedBuffer(): WeakRef<Buffer> {
  const held = { buffer: Buffer.alloc(32 * mebibyte, 1) as Buffer | undefined }
  const reference = new WeakRef(held.buffer as Buffer)
  // Objects that survive a few minor collections are not freed by later minor collections.
  for (let count = 0; count < 1_000; count += 1) JSON.parse(`[${'[1],'.repeat(5_000)}0]`)
  held.buffer = undefined
  return reference
}

test.each<[string, { heavyBytes?: number; startMs?: number }]>([
  ['after a rejected request', {}],
  ['while the process exceeds the memory threshold', { heavyBytes: 1 }],
  ['once after startup', { startMs: 1 }],
])('frees unused buffers %s', async (when, options) => {
  const { requestCollection, close } = createEarlyGarbageCollector(() => performance.now(), options)
  const buffer = unusedBuffer()
  if (when === 'after a rejected request') requestCollection()
  expect(await isFreed(buffer, 5_000)).toBe(true)
  close()
})
