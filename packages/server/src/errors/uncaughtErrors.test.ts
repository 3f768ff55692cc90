import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { logUncaughtErrors } from './uncaughtErrors.ts'

function processWithLog() {
  const lines: unknown[] = []
  const process = new EventEmitter()
  const stop = logUncaughtErrors({
    process,
    log: (level, message, fields) => void lines.push([level, message, fields]),
  })
  return { lines, process, stop }
}

test('logUncaughtErrors logs the code and stack of uncaught errors, and the process continues', () => {
  const { lines, process, stop } = processWithLog()
  const error = Object.assign(new TypeError('no such thing'), { code: 'ERR_X' })
  process.emit('unhandledRejection', error)
  process.emit('uncaughtException', 'a text')
  expect(lines).toEqual([
    [
      'error',
      'uncaught error',
      {
        event: 'unhandledRejection',
        error: 'TypeError',
        code: 'ERR_X',
        stack: expect.stringContaining('no such thing'),
      },
    ],
    ['error', 'uncaught error', { event: 'uncaughtException', error: 'string' }],
  ])
  stop()
  expect(process.eventNames()).toEqual([])
})

test('logUncaughtErrors ignores errors from a closed log stream, and tolerates a log function that throws', () => {
  const { lines, process } = processWithLog()
  process.emit('uncaughtException', Object.assign(new Error('write'), { code: 'EPIPE' }))
  expect(lines).toEqual([])
  const other = new EventEmitter()
  logUncaughtErrors({
    process: other,
    log: () => {
      other.emit('uncaughtException', new Error('again'))
      throw new Error('the log fails')
    },
  })
  expect(other.emit('uncaughtException', new Error('first'))).toBe(true)
})
