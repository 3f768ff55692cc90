import { fakeClock } from '@latchkey/core/testing'
import { expect, test } from 'vitest'
import { identifyVisitor, reportFailure } from './identifyVisitor.ts'
import { createKeysApiClient } from './keysApiClient.ts'

test('an identification origin that does not respond delays a login by three seconds and is reported to the operator [R8.6]', async () => {
  const clock = fakeClock()
  const timers = new Map<number, () => void>()
  const failures: string[] = []
  const request = identifyVisitor({
    window: {
      document,
      addEventListener: window.addEventListener.bind(window),
      removeEventListener: window.removeEventListener.bind(window),
      setTimeout: ((task: () => void, ms: number) => {
        timers.set(timers.size + 1, clock.after(ms, task))
        return timers.size
      }) as typeof window.setTimeout,
      clearTimeout: (id) => timers.get(Number(id))?.(),
    },
    origin: 'https://id.invalid',
    failed: (failure) => void failures.push(failure),
  })
  await clock.pass(3_000)
  expect(await request).toBeUndefined()
  expect([failures, document.querySelectorAll('iframe').length]).toEqual([[], 1])
  await clock.pass(10_000)
  expect([failures, document.querySelectorAll('iframe').length]).toEqual([['identify/timeout'], 0])
})

test.each([
  'identify/missing-key',
  'identify/invalid-key',
  'identify/expired-key',
  'identify/timeout',
  'identify/rate-limited',
  'identify/blocked-by-csp',
  'identify/script-failed',
] as const)(
  '%s is posted to the operator only if the identification origin reports it, and the login continues [R8.6]',
  async (failure) => {
    const posted: unknown[] = []
    const keysClient = createKeysApiClient({
      fetch: async (path, init) => {
        posted.push([init?.method, path, JSON.parse(String(init?.body))])
        return Response.json({})
      },
    })
    const origin = 'https://id.invalid'
    const request = identifyVisitor({ window, origin, failed: reportFailure(keysClient) })
    const source = document.querySelector('iframe')?.contentWindow ?? null
    const say = (data: unknown, from: MessageEventInit = {}) =>
      window.dispatchEvent(new MessageEvent('message', { data, origin, source, ...from }))
    say({ type: 'latchkey/visitor', visitorId: 'planted' }, { origin: 'https://evil.invalid' })
    say({ type: 'latchkey/visitor', visitorId: 'planted' }, { source: window })
    say({ type: 'latchkey/visitor', failure: 'identify/other' })
    say({ type: 'latchkey/visitor', failure })
    expect(await request).toBeUndefined()
    expect(posted).toEqual([['POST', '/vault/identify', { failure }]])
    expect(document.querySelector('iframe')).toBeNull()
  },
)

test('an identification origin blocked by CSP is reported immediately and does not delay the login [R8.6]', async () => {
  const failures: string[] = []
  const request = identifyVisitor({
    window,
    origin: 'https://id.invalid',
    failed: (failure) => void failures.push(failure),
  })
  const stopped = (effectiveDirective: string) =>
    document.dispatchEvent(
      new SecurityPolicyViolationEvent('securitypolicyviolation', {
        effectiveDirective,
        violatedDirective: effectiveDirective,
        documentURI: location.href,
        originalPolicy: '',
        disposition: 'enforce',
        statusCode: 200,
      }),
    )
  // A violation caused by an image is unrelated.
  stopped('img-src')
  expect([failures, document.querySelectorAll('iframe').length]).toEqual([[], 1])
  stopped('frame-src')
  expect(await request).toBeUndefined()
  expect([failures, document.querySelectorAll('iframe').length]).toEqual([['identify/blocked-by-csp'], 0])
})
