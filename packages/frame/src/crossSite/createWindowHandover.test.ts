import { fakeClock } from '@latchkey/core/testing'
import {
  type HandoverState,
  postHandover,
  postHandoverClaim,
  postHandoverEnd,
  postHandoverStep,
  postHandoverWait,
} from '@latchkey/protocol/http/keys/crossSite'
import { seededEnvironment } from '@latchkey/vault/testing'
import { expect, test } from 'vitest'
import { claimHandover, resumeHandover } from '../crossSiteWindow/claimHandover.ts'
import { createSocialRedirectStorage } from '../crossSiteWindow/socialRedirectStorage.ts'
import { parseHandoverKey } from '../handover/handoverCipher.ts'
import type { HandoverRequest } from '../handover/handoverMessages.ts'
import { type KeysApiClient, KeysServerError } from '../keysApiClient.ts'
import { createWindowHandover } from './createWindowHandover.ts'

interface Row {
  sealed: string
  state: HandoverState
  answer: string | null
}

/** Creates a fake server. The server’s `windowHandoverRoutes.test.ts` tests the real one. */
function server() {
  const rows = new Map<string, Row>()
  const waiters: (() => void)[] = []
  const changed = (): void => {
    for (const item of waiters.splice(0)) item()
  }
  const refuse = (code: 'handover/unknown' | 'handover/taken'): never => {
    throw new KeysServerError({ code, message: '' })
  }
  const client = (async (call: object, { params, body, signal }: Parameters<KeysApiClient>[1] & {} = {}) => {
    const response = (body ?? {}) as { id: string; sealed: string; seen: HandoverState; state: HandoverState }
    const id = params?.id ?? response.id
    if (call === postHandover) {
      rows.set(id, { sealed: response.sealed, state: 'waiting', answer: null })
      changed()
      return { secret: 'f' }
    }
    if (call === postHandoverWait)
      for (;;) {
        const row = rows.get(id) ?? refuse('handover/unknown')
        if (row.state !== response.seen) return { state: row.state, sealed: row.answer }
        await new Promise<void>((resolve, reject) => {
          waiters.push(resolve)
          signal?.addEventListener('abort', () => reject(signal.reason as Error))
        })
      }
    const row = rows.get(id) ?? refuse('handover/unknown')
    if (call === postHandoverClaim) {
      if (row.state !== 'waiting') refuse('handover/taken')
      row.state = 'claimed'
    }
    if (call === postHandoverStep) {
      row.state = response.state
      row.answer = response.sealed ?? null
    }
    if (call === postHandoverEnd) {
      if (row.state === 'doing') refuse('handover/taken')
      rows.delete(id)
    }
    changed()
    return { sealed: row.sealed, secret: 'w'.repeat(43) }
  }) as KeysApiClient
  return { client, rows }
}

const question: HandoverRequest = {
  version: 1,
  action: { kind: 'connect', email: 'ada@shop.example' },
  origin: 'https://shop.example',
  theme: { themeMode: 'dark' },
  language: 'en',
  accountType: 'eoa',
}
const refused = { kind: 'refused', message: 'User rejected the request.' } as const

/** Creates a handover for one request, with a fake window that records the windows that the handover opens. */
function handing(request: () => HandoverRequest = () => question) {
  const clock = fakeClock()
  const environment = seededEnvironment(83, clock)
  const timers: (() => void)[] = []
  const { client, rows } = server()
  const opened: (readonly string[])[] = []
  const window = Object.assign(new EventTarget(), {
    open: (...parameters: string[]) => {
      opened.push(parameters)
      return null
    },
    setTimeout: (task: () => void, ms: number) => timers.push(environment.clock.after(ms, task)) - 1,
    clearTimeout: (timer: number) => timers[timer]?.(),
  })
  const handover = createWindowHandover({ window: window as never, keysClient: client, environment, question: request })
  const waitForState = (state: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (handover.state() === state) resolve()
      }
      handover.subscribe(look)
      look()
    })
  const posted = (): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if ([...rows.values()].some(({ state }) => state === 'waiting')) resolve()
        else setImmediate(look)
      }
      look()
    })
  /** Claims the request in the most recent window. */
  const claim = async () => {
    await posted()
    const key = parseHandoverKey(opened.at(-1)?.[0]?.split('#')[1] ?? '')
    const claimed = key && (await claimHandover({ keysClient: client, environment }, key))
    if (!claimed) throw new Error('No request could be claimed.')
    return claimed
  }
  /** Resumes the request in another document of the same window. */
  const resume = (left: Parameters<typeof resumeHandover>[1]) =>
    resumeHandover({ keysClient: client, environment }, left)
  return {
    handover,
    clock,
    opened,
    rows,
    waitForState,
    claim,
    posted,
    resume,
    leave: () => window.dispatchEvent(new Event('pagehide')),
  }
}

test('a click opens a window with noopener, and the window gets the request and returns the response', async () => {
  const { handover, opened, waitForState, claim, rows } = handing()
  expect(opened).toEqual([])
  handover.open()
  expect(opened).toEqual([
    [expect.stringMatching(/^\/continue#[\w-]{43}$/), '_blank', expect.stringContaining('noopener')],
  ])
  const claimed = await claim()
  expect(claimed.question).toEqual(question)
  await waitForState('open')
  await claimed.answer(refused)
  expect(await handover.answer).toEqual(refused)
  // The server deletes the response after delivery.
  expect(rows.size).toBe(0)
})

test('a page that unloads cancels its pending request, but not a request that is in progress', async () => {
  const early = handing()
  early.handover.open()
  const waiting = await early.claim()
  await early.waitForState('open')
  early.leave()
  await waiting.gone(new AbortController().signal)
  expect(early.rows.size).toBe(0)

  const late = handing()
  late.handover.open()
  const claimed = await late.claim()
  await claimed.begin()
  await late.handover.begun
  late.leave()
  await claimed.answer(refused)
  expect(await late.handover.answer).toEqual(refused)
})

test('after a window closes without responding, another window can be opened with a different key', async () => {
  const { handover, opened, waitForState, claim } = handing()
  handover.open()
  const first = await claim()
  await waitForState('open')
  first.close()
  await waitForState('none')
  handover.open()
  expect(opened[1]?.[0]).not.toBe(opened[0]?.[0])
  const second = await claim()
  await second.answer(refused)
  expect(await handover.answer).toEqual(refused)
})

test('a window that cannot read its request reports the problem, and another window can be opened', async () => {
  const { handover, waitForState, claim } = handing(() => ({ ...question, version: 2 }) as never)
  handover.open()
  await expect(claim()).rejects.toThrow('No request could be claimed.')
  await waitForState('none')
})

test('opening a second window ends the request in the first window', async () => {
  const { handover, waitForState, claim, rows } = handing()
  handover.open()
  const first = await claim()
  await waitForState('open')
  const before = [...rows.keys()]
  handover.open()
  await first.gone(new AbortController().signal)
  await expect(first.begin()).rejects.toMatchObject({ failure: { code: 'handover/unknown' } })
  await waitForState('opening')
  const second = await claim()
  expect([...rows.keys()]).not.toEqual(before)
  await second.begin()
  await handover.begun
})

test('a request that is in progress in a window cannot be cancelled, and its response is delivered', async () => {
  const { handover, waitForState, claim, opened } = handing()
  handover.open()
  const claimed = await claim()
  await waitForState('open')
  await claimed.begin()
  await handover.begun
  expect(await handover.takeBack()).toBe(false)
  // No other window gets the request, because then it could be executed twice.
  handover.open()
  expect(opened).toHaveLength(2)
  await claimed.answer({ kind: 'done', result: '0x1', single: false })
  expect(await handover.answer).toEqual({ kind: 'done', result: '0x1', single: false })
})

test('a request that no window has started can be cancelled', async () => {
  const { handover, claim, rows } = handing()
  expect(await handover.takeBack()).toBe(true)
  handover.open()
  const claimed = await claim()
  expect(await handover.takeBack()).toBe(true)
  expect(rows.size).toBe(0)
  await expect(claimed.begin()).rejects.toMatchObject({ failure: { code: 'handover/unknown' } })
})

test('a request that is cancelled while it is being sent is not left on the server', async () => {
  const { handover, rows, clock } = handing()
  handover.open()
  // At this point, the request is still being encrypted.
  await Promise.resolve()
  await Promise.resolve()
  const taking = handover.takeBack()
  await clock.pass(10_000)
  expect(await taking).toBe(true)
  expect([rows.size, handover.state()]).toEqual([0, 'none'])
})

test('a window that does not report back within eight seconds is reported as blocked until it does', async () => {
  const { handover, clock, claim, posted, waitForState } = handing()
  handover.open()
  await posted()
  await clock.pass(7_999)
  expect(handover.state()).toBe('opening')
  await clock.pass(1)
  expect(handover.state()).toBe('blocked')
  await claim()
  await waitForState('open')

  const prompt = handing()
  prompt.handover.open()
  await prompt.claim()
  await prompt.waitForState('open')
  await prompt.clock.pass(10_000)
  expect(prompt.handover.state()).toBe('open')

  const cancelled = handing()
  cancelled.handover.open()
  await cancelled.posted()
  expect(await cancelled.handover.takeBack()).toBe(true)
  await cancelled.clock.pass(10_000)
  expect(cancelled.handover.state()).toBe('none')
})

test('a window rejects a request with a malformed origin', async () => {
  const { handover, claim } = handing(() => ({ ...question, origin: 'javascript:alert(1)' }))
  handover.open()
  await expect(claim()).rejects.toThrow('No request could be claimed.')
})

/** Creates the session storage of one window. */
function sessionStorage(): Storage {
  const items = new Map<string, string>()
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, text: string) => void items.set(name, text),
    removeItem: (name: string) => void items.delete(name),
  } as Storage
}

test('a window that was redirected to a provider resumes its request once in the next document', async () => {
  const storage = sessionStorage()
  const { handover, waitForState, claim, resume } = handing()
  handover.open()
  const first = await claim()
  await waitForState('open')
  createSocialRedirectStorage(() => storage, fakeClock().now).save(first.suspended())
  const left = createSocialRedirectStorage(() => storage, fakeClock().now).take()
  expect(createSocialRedirectStorage(() => storage, fakeClock().now).take()).toBeUndefined()
  const second = left && (await resume(left))
  expect(second?.question).toEqual(question)
  await second?.begin()
  await handover.begun
  await second?.answer(refused)
  expect(await handover.answer).toEqual(refused)
})

test('a request that is cancelled while its window is at the provider no longer exists when the window returns', async () => {
  const { handover, waitForState, claim, resume } = handing()
  handover.open()
  const first = await claim()
  await waitForState('open')
  expect(await handover.takeBack()).toBe(true)
  const second = await resume(first.suspended())
  await second?.gone(new AbortController().signal)
  await expect(second?.begin()).rejects.toMatchObject({ failure: { code: 'handover/unknown' } })
})

test('a suspended request is resumed only if it is well-formed and has not expired', async () => {
  const clock = fakeClock()
  const storage = sessionStorage()
  const suspension = createSocialRedirectStorage(() => storage, clock.now)
  const left = { key: 'k'.repeat(43), secret: 's'.repeat(43), question }
  suspension.save(left)
  await clock.pass(599_000)
  expect(suspension.take()).toMatchObject(left)
  suspension.save(left)
  await clock.pass(601_000)
  expect(suspension.take()).toBeUndefined()
  for (const text of ['', '{', '{}', JSON.stringify({ ...left, key: 'short', until: 1e15 })]) {
    storage.setItem('latchkey.suspended', text)
    expect(suspension.take()).toBeUndefined()
  }
  const denied = createSocialRedirectStorage(() => {
    throw new DOMException('', 'SecurityError')
  }, clock.now)
  expect(denied.take()).toBeUndefined()
})
