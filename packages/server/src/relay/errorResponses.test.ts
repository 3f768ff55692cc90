import { expect, test } from 'vitest'
import { createErrorResponses } from './errorResponses.ts'
import { StoreUnavailableError } from './messages/messageStore.ts'
import { RpcError } from './rpcRequest.ts'

function responsesAt() {
  const time = { now: 0 }
  const log: unknown[][] = []
  const refused: string[] = []
  const responses = createErrorResponses({
    metrics: { refused: (where, reason) => void refused.push(`${where} ${reason}`) },
    log: (...line) => void log.push(line),
    clock: () => time.now,
  })
  return { ...responses, time, log, refused }
}

test('a rejected call is counted and answered with the reason, but not logged', () => {
  const { failed, invalidRequest, log, refused } = responsesAt()
  expect(JSON.parse(failed('7', new RpcError('TtlTooShort', 'Too short')))).toMatchObject({
    id: 7,
    error: { message: 'Too short', data: 'TtlTooShort' },
  })
  expect(JSON.parse(invalidRequest())).toMatchObject({ id: null, error: { data: 'InvalidRequest' } })
  expect([refused, log]).toEqual([['call TtlTooShort', 'call InvalidRequest'], []])
})

test('logs an unexpected error and does not reveal it to the client', () => {
  const { failed, log } = responsesAt()
  expect(failed('7', new TypeError('a secret'))).not.toContain('secret')
  expect(log).toMatchObject([['error', 'relay call failed', { error: 'TypeError' }]])
})

test('logs one line every five seconds when an unavailable store causes many rejections', () => {
  const { failed, time, log } = responsesAt()
  for (time.now of [0, 1_000, 4_999, 5_000]) failed('7', new StoreUnavailableError('away'))
  expect(log.map(([, , fields]) => fields)).toMatchObject([{ count: 1 }, { count: 3 }])
})
