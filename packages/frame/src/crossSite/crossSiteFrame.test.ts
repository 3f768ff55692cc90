import { expect, test } from 'vitest'
import type { WindowConnection } from '../handover/handoverMessages.ts'
import { createConnectionStorage, type StorageWindow } from './connectionStorage.ts'
import { type CookieWindow, hasCookieAccess } from './hasCookieAccess.ts'

const held: WindowConnection = {
  token: 'A'.repeat(43),
  userId: 'u-1',
  email: 'ada@shop.example',
  addresses: { eip155: `0x${'1'.repeat(40)}`, solana: '5'.repeat(44) },
  single: true,
}

/** Creates a fake cookie jar that stores a cookie if `takes` returns true, and returns cookies as browsers do. */
function jar(takes: (attributes: readonly string[]) => boolean) {
  const cookies = new Map<string, string>()
  return {
    cookies,
    document: {
      get cookie() {
        return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      },
      set cookie(text: string) {
        const [pair = '', ...attributes] = text.split('; ')
        if (!takes(attributes)) return
        const at = pair.indexOf('=')
        if (attributes.includes('Max-Age=0')) cookies.delete(pair.slice(0, at))
        else cookies.set(pair.slice(0, at), pair.slice(at + 1))
      },
    },
  }
}

function trying({ document }: Pick<CookieWindow, 'document'>, protocol = 'http:'): boolean {
  return hasCookieAccess({ document, location: { protocol }, crypto })
}

test('cookie access is detected with a same-site cookie that is removed afterwards', () => {
  const strict = jar((attributes) => attributes.includes('SameSite=Strict'))
  expect(trying(strict)).toBe(true)
  expect(strict.cookies.size).toBe(0)
  // Browsers with third-party cookies enabled still reject these cookies in a cross-site frame.
  expect(trying(jar((attributes) => !attributes.includes('SameSite=Strict')))).toBe(false)
})

test('the cookie has the Secure attribute if the page is served over HTTPS', () => {
  const secure = jar((attributes) => attributes.includes('Secure'))
  expect(trying(secure, 'https:')).toBe(true)
  expect(trying(secure, 'http:')).toBe(false)
})

test('a cookie that a different page set earlier is ignored', () => {
  const planted = jar(() => false)
  planted.cookies.set('latchkey.try', '1')
  expect(trying(planted)).toBe(false)
})

test('a document with an opaque origin has no cookie access', () => {
  const document = {
    get cookie(): string {
      throw new DOMException('', 'SecurityError')
    },
    set cookie(_: string) {
      throw new DOMException('', 'SecurityError')
    },
  }
  expect(trying({ document })).toBe(false)
})

function storage(): Storage {
  const stored = new Map<string, string>()
  return {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  } as Storage
}

const denied = {
  get localStorage(): Storage {
    throw new DOMException('', 'SecurityError')
  },
}
const open = jar((attributes) => attributes.includes('Partitioned'))
const shut = jar(() => false)
const places: readonly [string, () => StorageWindow][] = [
  [
    'localStorage',
    () => {
      const localStorage = storage()
      return { localStorage, document: shut.document }
    },
  ],
  [
    'a cookie',
    () => ({
      ...Object.create(denied),
      get localStorage() {
        return denied.localStorage
      },
      document: open.document,
    }),
  ],
]

test.each(places)('a frame’s login is stored in %s, separately for each page', (_, make) => {
  const window = make()
  const holding = createConnectionStorage(window, 'https://shop.example')
  holding.set(held)
  expect(createConnectionStorage(window, 'https://shop.example').get()).toEqual(held)
  expect(createConnectionStorage(window, 'https://other.example').get()).toBeUndefined()
  holding.set(undefined)
  expect(createConnectionStorage(window, 'https://shop.example').get()).toBeUndefined()
  expect(holding.get()).toBeUndefined()
})

test('the login is kept in memory if storage is unavailable', () => {
  const window: StorageWindow = {
    get localStorage() {
      return denied.localStorage
    },
    document: shut.document,
  }
  const holding = createConnectionStorage(window, 'https://shop.example')
  holding.set(held)
  expect(holding.get()).toEqual(held)
  expect(createConnectionStorage(window, 'https://shop.example').get()).toBeUndefined()
})

test('malformed stored text is ignored', () => {
  const localStorage = storage()
  const window = { localStorage, document: shut.document }
  for (const text of ['', '{', '{}', JSON.stringify({ ...held, token: 'short' })]) {
    localStorage.setItem('latchkey.away:https://shop.example', text)
    expect(createConnectionStorage(window, 'https://shop.example').get()).toBeUndefined()
  }
})
