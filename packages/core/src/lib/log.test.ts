import { logBufferBytes } from '@latchkey/protocol/specificationConstants'
import { expect, test } from 'vitest'
import { createLog } from './log.ts'

test('a very long entry is truncated, so that it does not push earlier entries out of the buffer', () => {
  const log = createLog({ now: () => 0, level: 'silent' })
  log.info('The wallet connected.')
  log.warn('x'.repeat(logBufferBytes), 'y'.repeat(logBufferBytes))
  expect(log.entries().map(({ text }) => text.slice(0, 21))).toEqual(['The wallet connected.', 'x'.repeat(21)])
})
