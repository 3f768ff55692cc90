import { read } from '@latchkey/protocol/parseWithSchema'
import { type WindowConnection, windowConnectionSchema } from '../handover/handoverMessages.ts'

/** The storage for a cross-site frame's login. Each embedding page has separate storage. It never contains keys. */
export interface ConnectionStorage {
  get(): WindowConnection | undefined
  set(next: WindowConnection | undefined): void
}

/** Storage for a single string. */
export interface StoredText {
  get(): string | undefined
  set(text: string | undefined): void
}

/** The parts of `Window` used for storage. */
export interface StorageWindow {
  /** Reading the property throws if access to storage is denied. */
  readonly localStorage: Storage
  readonly document: Pick<Document, 'cookie'>
}

/** The lifetime of the cookie. The server can end the session sooner. */
const cookieMaxAgeSeconds = 30 * 24 * 60 * 60

/**
 * Creates storage for a single string. It uses the frame's partitioned local storage if available, or else a partitioned cookie
 * (CHIPS) or memory. Other sites cannot read the string. `name` must be different for each embedding page.
 */
export function createStoredText(window: StorageWindow, name: string): StoredText {
  const cookie = cookieTextStorage(window.document, name)
  const storage = localTextStorage(window, `latchkey.away:${name}`)
  let memory: string | undefined
  return {
    get: () => storage.get() ?? cookie.get() ?? memory,
    set(text) {
      memory = text
      // Store the text in only one place, and remove any copy from the other place.
      const isStored = storage.set(text)
      cookie.set(isStored ? undefined : text)
    },
  }
}

/** Creates the storage for the login on `page`. */
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
  /** Stores or deletes the text. Returns whether the text is now stored. */
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
  // Replace the characters in the page's origin that are not allowed in a cookie name.
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
