import { fakeClock } from '@latchkey/core/testing'
import { expect, test } from 'vitest'
import { identifyVisitor } from './askIdentityOrigin.ts'

test('a silent identification origin delays a login by three seconds and is reported to the operator [R8.6]', async () => {
  const clock = fakeClock()
  const timers = new Map<number, () => void>()
  const told: string[] = []
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
    failed: (failure) => void told.push(failure),
  })
  await clock.pass(3_000)
  expect(await request).toBeUndefined()
  expect([told, document.querySelectorAll('iframe').length]).toEqual([[], 1])
  await clock.pass(10_000)
  expect([told, document.querySelectorAll('iframe').length]).toEqual([['identify/timeout'], 0])
})

test('an identification origin blocked by CSP is reported immediately and does not delay the login [R8.6]', async () => {
  const told: string[] = []
  const request = identifyVisitor({
    window,
    origin: 'https://id.invalid',
    failed: (failure) => void told.push(failure),
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
  // A violation by an image is unrelated.
  stopped('img-src')
  expect([told, document.querySelectorAll('iframe').length]).toEqual([[], 1])
  stopped('frame-src')
  expect(await request).toBeUndefined()
  expect([told, document.querySelectorAll('iframe').length]).toEqual([['identify/blocked-by-csp'], 0])
})
