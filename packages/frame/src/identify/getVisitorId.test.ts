import { type FakeClock, fakeClock, memoryStorage } from '@latchkey/core/testing'
import type { IdentifyFailure } from '@latchkey/protocol/http/visitorIdentification'
import { expect, test } from 'vitest'
import { type GetVisitorIdParameters, getVisitorId, IdentifyError, type IdentityScript } from './getVisitorId.ts'

/** Creates the parameters with a script that returns `visitorId`, and records the calls. */
function scripted(visitorId: unknown, clock: FakeClock, overrides: Partial<GetVisitorIdParameters> = {}) {
  const tried: number[] = []
  const loaded: unknown[] = []
  const script: IdentityScript = {
    load: async (options) => {
      loaded.push(options)
      return { get: async () => ({ visitorId }) }
    },
  }
  const dependencies: GetVisitorIdParameters = {
    loadScript: async (attempt) => {
      tried.push(attempt)
      return script
    },
    cacheSeconds: 3600,
    storage: memoryStorage(),
    now: clock.now,
    after: clock.after,
    ...overrides,
  }
  return { dependencies, tried, loaded }
}

const failing = (message: string): IdentityScript => ({
  load: async () => {
    throw new Error(message)
  },
})

const failureOf = (request: Promise<unknown>): Promise<unknown> =>
  request.then(
    (value) => value,
    (error: unknown) => (error instanceof IdentifyError ? error.code : error),
  )

test('returns the script’s visitor ID and caches it for the configured time [R9.13]', async () => {
  const clock = fakeClock()
  const { dependencies, tried, loaded } = scripted('visitor-1', clock, { key: 'public' })
  expect(await getVisitorId(dependencies)).toBe('visitor-1')
  expect(loaded).toEqual([{ apiKey: 'public', monitoring: false }])
  await clock.pass(3_599_000)
  expect(await getVisitorId(dependencies)).toBe('visitor-1')
  expect(tried).toEqual([1])
  await clock.pass(1_000)
  expect(await getVisitorId(dependencies)).toBe('visitor-1')
  expect(tried).toEqual([1, 1])
})

test('neither the operator nor a stored record can extend the caching time beyond one day [R9.13]', async () => {
  const clock = fakeClock()
  const { dependencies, tried } = scripted('visitor-1', clock, { cacheSeconds: 1_000_000 })
  await getVisitorId(dependencies)
  await clock.pass(86_399_000)
  await getVisitorId(dependencies)
  expect(tried).toEqual([1])
  await clock.pass(1_000)
  await getVisitorId(dependencies)
  expect(tried).toEqual([1, 1])

  const storage = memoryStorage()
  storage.setItem('latchkey/visitor', JSON.stringify({ visitorId: 'planted', until: clock.now() + 10 ** 12 }))
  expect(await getVisitorId({ ...dependencies, storage })).toBe('visitor-1')
})

test('tries five times to load the script, with delays of up to three seconds [R9.13, R8.6]', async () => {
  const clock = fakeClock()
  const at: number[] = []
  const start = clock.now()
  const { dependencies } = scripted('never', clock, {
    loadScript: async () => {
      at.push(clock.now() - start)
      throw new Error('404')
    },
  })
  const request = failureOf(getVisitorId(dependencies))
  await clock.pass(60_000)
  expect(await request).toBe('identify/script-failed')
  expect(at).toEqual([0, 500, 1_500, 3_500, 6_500])
  expect(clock.waiting).toBe(0)
})

test('a cache time of zero disables the cache [R9.13]', async () => {
  const clock = fakeClock()
  const { dependencies, tried } = scripted('visitor-1', clock, { cacheSeconds: 0 })
  await getVisitorId(dependencies)
  await getVisitorId(dependencies)
  expect(tried).toEqual([1, 1])
})

test('a shorter cache time applies to an ID that is already stored [R9.13]', async () => {
  const clock = fakeClock()
  const { dependencies, tried } = scripted('visitor-1', clock, { cacheSeconds: 86_400 })
  await getVisitorId(dependencies)
  await clock.pass(86_399_999)
  await getVisitorId(dependencies)
  expect(tried).toEqual([1])
  await clock.pass(1)
  await getVisitorId(dependencies)
  expect(tried).toEqual([1, 1])
  await getVisitorId({ ...dependencies, cacheSeconds: 60 })
  expect(tried).toEqual([1, 1, 1])
})

test('passes the attempt number to the loader and stops once the script has loaded [R9.13]', async () => {
  const clock = fakeClock()
  const attempts: number[] = []
  const { dependencies } = scripted('visitor-1', clock)
  const request = getVisitorId({
    ...dependencies,
    loadScript: async (attempt) => {
      attempts.push(attempt)
      if (attempt < 3) throw new Error('offline')
      return dependencies.loadScript(attempt)
    },
  })
  await clock.pass(60_000)
  expect(await request).toBe('visitor-1')
  expect(attempts).toEqual([1, 2, 3])
})

test('returns the visitor ID if the script loads on the fifth attempt [R9.13]', async () => {
  const clock = fakeClock()
  const { dependencies } = scripted('late', clock)
  const request = getVisitorId({
    ...dependencies,
    loadScript: async (attempt) =>
      attempt < 5 ? Promise.reject(new Error('offline')) : dependencies.loadScript(attempt),
  })
  await clock.pass(6_500)
  expect(await request).toBe('late')
})

test('times out after ten seconds if the script does not load [R8.6]', async () => {
  const clock = fakeClock()
  const { dependencies } = scripted('never', clock, { loadScript: () => new Promise(() => {}) })
  const request = failureOf(getVisitorId(dependencies))
  await clock.pass(10_000)
  expect(await request).toBe('identify/timeout')
})

test('does not fetch a script that requires a key if the key is missing [R8.6]', async () => {
  const { dependencies, tried } = scripted('x', fakeClock(), { needsKey: true })
  expect(await failureOf(getVisitorId(dependencies))).toBe('identify/missing-key')
  expect(tried).toEqual([])
})

const scriptErrors: readonly (readonly [message: string, failure: IdentifyFailure])[] = [
  ['API key required', 'identify/missing-key'],
  ['The API key is required', 'identify/missing-key'],
  ['API key missing', 'identify/missing-key'],
  ['The API key is missing', 'identify/missing-key'],
  ['API key not found', 'identify/invalid-key'],
  ['API key invalid', 'identify/invalid-key'],
  ['The API key is invalid', 'identify/invalid-key'],
  ['Invalid API key', 'identify/invalid-key'],
  ['Wrong API key', 'identify/invalid-key'],
  ['API key expired', 'identify/expired-key'],
  ['Expired API key', 'identify/expired-key'],
  ['Client timeout', 'identify/timeout'],
  ['The request timed out', 'identify/timeout'],
  ['Rate limit exceeded', 'identify/rate-limited'],
  ['Too many requests', 'identify/rate-limited'],
  ['Blocked by CSP', 'identify/blocked-by-csp'],
  ['Refused by the Content Security Policy', 'identify/blocked-by-csp'],
  ['Failed to load the JS script of the agent', 'identify/script-failed'],
  ['', 'identify/script-failed'],
]

test.each(scriptErrors)('reports the script error "%s" as %s [R8.6]', async (message, code) => {
  const { dependencies } = scripted('x', fakeClock(), { loadScript: async () => failing(message) })
  expect(await failureOf(getVisitorId(dependencies))).toBe(code)
})

test.each(scriptErrors)(
  'reports a script’s rejection with the plain string "%s" as %s [R8.6]',
  async (message, code) => {
    const loadScript = async (): Promise<IdentityScript> => ({
      load: async () => ({ get: () => Promise.reject(message) }),
    })
    const { dependencies } = scripted('x', fakeClock(), { loadScript })
    expect(await failureOf(getVisitorId(dependencies))).toBe(code)
  },
)

test.each<IdentifyFailure>([
  'identify/missing-key',
  'identify/invalid-key',
  'identify/expired-key',
  'identify/timeout',
  'identify/rate-limited',
  'identify/blocked-by-csp',
  'identify/script-failed',
])(
  'keeps the code if the script throws an error with the code %s, and reports other thrown values as script-failed [R8.6]',
  async (code) => {
    const throwing = (error: unknown) => ({
      loadScript: async (): Promise<IdentityScript> => ({ load: async () => ({ get: () => Promise.reject(error) }) }),
    })
    const coded = Object.assign(new Error('API key expired'), { code })
    expect(await failureOf(getVisitorId(scripted('x', fakeClock(), throwing(coded)).dependencies))).toBe(code)
    for (const odd of [undefined, null, 7, { code: 'other' }])
      expect(await failureOf(getVisitorId(scripted('x', fakeClock(), throwing(odd)).dependencies))).toBe(
        'identify/script-failed',
      )
  },
)

test('passes a required key to the script [R8.6]', async () => {
  const { dependencies, tried, loaded } = scripted('visitor-1', fakeClock(), { needsKey: true, key: 'public' })
  expect(await getVisitorId(dependencies)).toBe('visitor-1')
  expect([tried, loaded]).toEqual([[1], [{ apiKey: 'public', monitoring: false }]])
})

test('times out after ten seconds if the script loads but does not respond [R8.6]', async () => {
  const clock = fakeClock()
  const { dependencies } = scripted('never', clock, {
    loadScript: async () => ({ load: async () => ({ get: () => new Promise(() => {}) }) }),
  })
  let failure: unknown
  void failureOf(getVisitorId(dependencies)).then((code) => {
    failure = code
  })
  await clock.pass(9_999)
  expect(failure).toBeUndefined()
  await clock.pass(1)
  expect(failure).toBe('identify/timeout')
})

test('does not retry a script that the content security policy blocks [R8.6]', async () => {
  let tries = 0
  const { dependencies } = scripted('x', fakeClock(), {
    loadScript: async () => {
      tries += 1
      throw new IdentifyError('identify/blocked-by-csp')
    },
  })
  expect(await failureOf(getVisitorId(dependencies))).toBe('identify/blocked-by-csp')
  expect(tries).toBe(1)
})

test.each([undefined, 7, '', 'a b', '<script>', 'x'.repeat(129)])(
  'rejects an invalid visitor ID such as %j [R8.6]',
  async (name) => {
    const { dependencies } = scripted(name, fakeClock())
    expect(await failureOf(getVisitorId(dependencies))).toBe('identify/script-failed')
  },
)

test('identifies the visitor again on each call if storage is not available', async () => {
  const refused = () => {
    throw new DOMException('no', 'SecurityError')
  }
  const { dependencies, tried } = scripted('visitor-1', fakeClock(), {
    storage: { getItem: refused, setItem: refused, removeItem: refused },
  })
  expect(await getVisitorId(dependencies)).toBe('visitor-1')
  expect(await getVisitorId(dependencies)).toBe('visitor-1')
  expect(tried).toEqual([1, 1])
})
