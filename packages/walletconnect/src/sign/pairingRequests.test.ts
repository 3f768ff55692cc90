import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import { createPairingRequests } from './pairingRequests.ts'

const request = { topic: 'a', method: 'wc_sessionPropose' } as const

function pairingRequests() {
  const clock = fakeClock(0)
  const withdrawn: unknown[] = []
  return { clock, withdrawn, pending: createPairingRequests(clock, (event) => withdrawn.push(event)) }
}

test('a request can be answered only once', async () => {
  const { pending, withdrawn, clock } = pairingRequests()
  expect(pending.add(1, request, 10)).toBe(true)
  expect(pending.take(1)).toEqual(request)
  expect(() => pending.take(1)).toThrow(expect.objectContaining({ code: 'pairing/expired' }))
  await clock.pass(10_000)
  expect(withdrawn).toEqual([])
})

test('a request is withdrawn when it expires, or after five minutes if it has no expiry', async () => {
  const { pending, withdrawn, clock } = pairingRequests()
  pending.add(1, request, 10)
  pending.add(2, request, undefined)
  await clock.pass(299_999)
  expect(withdrawn).toEqual([{ id: 1, topic: 'a' }])
  await clock.pass(1)
  expect(withdrawn).toEqual([
    { id: 1, topic: 'a' },
    { id: 2, topic: 'a' },
  ])
})

test('a duplicate request is ignored, and a request with the same ID from another pairing is rejected', () => {
  const { pending } = pairingRequests()
  pending.add(1, request, 10)
  expect(pending.add(1, request, 10)).toBe(false)
  expect(() => pending.add(1, { ...request, topic: 'b' }, 10)).toThrow(expect.objectContaining({ code: 8000 }))
  expect(pending.get(1)?.topic).toBe('a')
})

test('a pairing can have at most twenty pending requests', () => {
  const { pending } = pairingRequests()
  for (let id = 1; id <= 20; id++) pending.add(id, request, 10)
  expect(() => pending.add(21, request, 10)).toThrow(expect.objectContaining({ code: 8000 }))
  expect(pending.add(21, { ...request, topic: 'b' }, 10)).toBe(true)
})

test('withdrawAll() withdraws all pending requests of one pairing', () => {
  const { pending, withdrawn } = pairingRequests()
  pending.add(1, request, 10)
  pending.add(2, { ...request, topic: 'b' }, 10)
  pending.withdrawAll('a')
  expect(withdrawn).toEqual([{ id: 1, topic: 'a' }])
  expect(pending.get(2)).toBeDefined()
})
