import { expect, test } from 'vitest'
import { createRequestLog } from './requestLog.ts'

const request = { method: 'eth_chainId', params: [] }

test('requests are logged with their outcome', async () => {
  const log = createRequestLog()
  const answered = log.run(request, async () => '0x1')
  const failed = log.run(request, () => Promise.reject(new Error('no')))
  expect(log.requests.map(({ outcome }) => outcome)).toEqual(['waiting', 'waiting'])
  expect(await answered).toBe('0x1')
  await expect(failed).rejects.toThrow('no')
  expect(log.requests.map(({ outcome }) => outcome)).toEqual(['answered', 'failed'])
})

test('a dead wallet loses pending and new requests, and lost requests stay lost after the wallet is revived', async () => {
  const log = createRequestLog()
  const settled: unknown[] = []
  let respond = (_: string) => {}
  void log
    .run(request, () => new Promise<string>((resolve) => (respond = resolve)))
    .then((result) => settled.push(result))
  log.die()
  void log.run(request, async () => '0x1').then((result) => settled.push(result))
  log.revive()
  respond('0x1')
  expect(await log.run(request, async () => '0x2')).toBe('0x2')
  expect(log.requests.map(({ outcome }) => outcome)).toEqual(['lost', 'lost', 'answered'])
  expect([settled, log.isDead]).toEqual([[], false])
})
