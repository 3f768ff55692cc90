import { read } from '@latchkey/protocol/schemas'
import { type WindowConnection, windowConnectionSchema } from '../handover/handoverMessages.ts'

/** Where a frame on a page of another site keeps what it holds: for one page, and never a key. */
export interface ConnectionStorage {
  get(): WindowConnection | undefined
  set(next: WindowConnection | undefined): void
}

/** One text that is kept. */
export interface StoredText {
  get(): string | undefined
  set(text: string | undefined): void
}

/** The parts of a window that keep it. */
export interface StorageWindow {
  /** Reading it may throw where storage is denied. */
  readonly localStorage: Storage
  readonly document: Pick<Document, 'cookie'>
}

/** As long as a sign-in may last at most; the server ends it sooner. */
const cookieMaxAgeSeconds = 30 * 24 * 60 * 60

/**
 * One text, kept in the local storage that the browser gives the frame there, else in a cookie of its own for that site (CHIPS), else for as long as
 * the document lives. Whichever it is, other sites have another one, and each page has its own name.
 */
export function createStoredText(window: StorageWindow, name: string): StoredText {
  const cookie = cookieTextStorage(window.document, name)
  const storage = localTextStorage(window, `latchkey.away:${name}`)
  let memory: string | undefined
  return {
    get: () => storage.get() ?? cookie.get() ?? memory,
    set(text) {
      memory = text
      // One place is enough; what another one may still hold goes.
      const isStored = storage.set(text)
      cookie.set(isStored ? undefined : text)
    },
  }
}

/** What a frame holds of a login on `page`. */
export function createConnectionStorage(window: StorageWindow, page: string): ConnectionStorage {
  const storedText = createStoredText(window, page)
  return {
    get() {
      const text = storedText.get()
      return text === undefined ? undefined : read(windowConnectionSchema, tryParseJson(text))
    },
    set: (next) => storedText.set(next && JSON.stringify(next)),
  }
}

interface TextStorage {
  get(): string | undefined
  /** Whether it is kept now. */
  set(text: string | undefined): boolean
}

function localTextStorage(window: StorageWindow, key: string): TextStorage {
  return {
    get() {
      try {
        return window.localStorage.getItem(key) ?? undefined
      } catch {
        return undefined
      }
    },
    set(text) {
      try {
        if (text === undefined) window.localStorage.removeItem(key)
        else window.localStorage.setItem(key, text)
        return text !== undefined
      } catch {
        return false
      }
    },
  }
}

function cookieTextStorage(document: Pick<Document, 'cookie'>, key: string): TextStorage {
  // Every byte of a page's origin that a cookie's name may not hold becomes one that it may.
  const name = `latchkey.away.${key.replace(/[^\w.-]/g, '_')}`
  const get = (): string | undefined => {
    const found = document.cookie.split('; ').find((pair) => pair.startsWith(`${name}=`))
    if (!found) return undefined
    try {
      return decodeURIComponent(found.slice(name.length + 1))
    } catch {
      return undefined
    }
  }
  return {
    get() {
      try {
        return get()
      } catch {
        return undefined
      }
    },
    set(text) {
      const value = text === undefined ? '' : encodeURIComponent(text)
      const age = text === undefined ? 0 : cookieMaxAgeSeconds
      try {
        document.cookie = `${name}=${value}; Max-Age=${age}; Path=/sdk; SameSite=None; Secure; Partitioned`
        return text !== undefined && get() === text
      } catch {
        return false
      }
    },
  }
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
