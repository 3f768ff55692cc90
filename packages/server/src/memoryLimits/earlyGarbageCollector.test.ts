import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createEarlyGarbageCollector } from './earlyGarbageCollector.ts'

const mebibyte = 1_048_576
const buffers = (): number => process.memoryUsage().arrayBuffers

test.each<[string, { heavyBytes?: number; startMs?: number }]>([
  ['after a rejected request', {}],
  ['while the process exceeds the memory threshold', { heavyBytes: 1 }],
  ['once after startup', { startMs: 1 }],
])('frees unused buffers %s', async (when, options) => {
  const { requestCollection: pressed, close } = createEarlyGarbageCollector(() => performance.now(), options)
  const before = buffers()
  const held = { buffer: Buffer.alloc(32 * mebibyte, 1) as Buffer | undefined }
  // Objects that survive a few minor collections are not freed by later minor collections.
  for (let count = 0; count < 1_000; count += 1) JSON.parse(`[${'[1],'.repeat(5_000)}0]`)
  expect(buffers() - before).toBeGreaterThan(30 * mebibyte)
  held.buffer = undefined
  if (when === 'after a rejected request') pressed()
  const until = performance.now() + 5_000
  while (buffers() - before > 8 * mebibyte && performance.now() < until) await turn()
  expect(buffers() - before).toBeLessThan(8 * mebibyte)
  close()
})
