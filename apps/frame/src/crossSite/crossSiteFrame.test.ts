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

/** A jar that takes cookies as `takes` says, and reads them back as browsers do. */
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

test('a frame is at home where the browser takes a cookie of its own site, and leaves none', () => {
  const strict = jar((attributes) => attributes.includes('SameSite=Strict'))
  expect(trying(strict)).toBe(true)
  expect(strict.cookies.size).toBe(0)
  // A browser that takes cookies of every site takes these in no frame of another one.
  expect(trying(jar((attributes) => !attributes.includes('SameSite=Strict')))).toBe(false)
})

test('over https the cookie is for https alone', () => {
  const secure = jar((attributes) => attributes.includes('Secure'))
  expect(trying(secure, 'https:')).toBe(true)
  expect(trying(secure, 'http:')).toBe(false)
})

test('a cookie that another page has set before is none of this one', () => {
  const planted = jar(() => false)
  planted.cookies.set('latchkey.try', '1')
  expect(trying(planted)).toBe(false)
})

test('a document without an origin keeps nothing', () => {
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
    'its storage',
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

test.each(places)('what a frame holds is kept in %s, for its page alone', (_, make) => {
  const window = make()
  const holding = createConnectionStorage(window, 'https://shop.example')
  holding.set(held)
  expect(createConnectionStorage(window, 'https://shop.example').get()).toEqual(held)
  expect(createConnectionStorage(window, 'https://other.example').get()).toBeUndefined()
  holding.set(undefined)
  expect(createConnectionStorage(window, 'https://shop.example').get()).toBeUndefined()
  expect(holding.get()).toBeUndefined()
})

test('where nothing is kept it lasts as long as the document', () => {
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

test('what stands there and is nothing of ours counts for nothing', () => {
  const localStorage = storage()
  const window = { localStorage, document: shut.document }
  for (const text of ['', '{', '{}', JSON.stringify({ ...held, token: 'short' })]) {
    localStorage.setItem('latchkey.away:https://shop.example', text)
    expect(createConnectionStorage(window, 'https://shop.example').get()).toBeUndefined()
  }
})
