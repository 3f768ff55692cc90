import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { afterEach, expect, test, vi } from 'vitest'
import { createUrlFallback } from './serverUrls.ts'

const service = { url: 'https://main.example', alternative: 'https://other.example', projectId: 'test' }

afterEach(() => vi.restoreAllMocks())

test('the second URL is only tried if the first is unreachable', async () => {
  const run = createUrlFallback(service)
  const unreachable = new LatchkeyError('http/unreachable', { url: service.url })
  const failed = new LatchkeyError('http/failed', { status: 500, url: service.url })
  const tried: string[] = []
  const failOnce = (error: Error) => async (url: string) => {
    if (tried.push(url) % 2 > 0) throw error
    return url
  }
  expect(await run(failOnce(unreachable))).toBe(service.alternative)
  await expect(run(failOnce(failed))).rejects.toBe(failed)
  expect(tried).toEqual([service.url, service.alternative, service.url])
})

// Determining the time zone can take longer than a request.
test('the time zone is determined once for all requests, and not at all without an alternative URL', async () => {
  const determined = vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions')
  const main = createUrlFallback({ url: service.url, projectId: 'test' })
  await main(async () => {})
  expect(determined).not.toHaveBeenCalled()
  const both = createUrlFallback(service)
  for (const _ of [1, 2, 3]) await both(async () => {})
  expect(determined).toHaveBeenCalledOnce()
})
