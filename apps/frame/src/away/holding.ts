import { read } from '@latchkey/protocol/schemas'
import { type Held, held } from '../handover/messages.ts'

/** Where a frame on a page of another site keeps what it holds: for one page, and never a key. */
export interface Holding {
  get(): Held | undefined
  set(next: Held | undefined): void
}

/** One text that is kept. */
export interface Kept {
  get(): string | undefined
  set(text: string | undefined): void
}

/** The parts of a window that keep it. */
export interface HoldingWindow {
  /** Reading it may throw where storage is denied. */
  readonly localStorage: Storage
  readonly document: Pick<Document, 'cookie'>
}

/** As long as a sign-in may last at most; the server ends it sooner. */
const cookieSeconds = 30 * 24 * 60 * 60

/**
 * One text, kept in the local storage that the browser gives the frame there, else in a cookie of its own for that site (CHIPS), else for as long as
 * the document lives. Whichever it is, other sites have another one, and each page has its own name.
 */
export function createKept(window: HoldingWindow, name: string): Kept {
  const cookie = cookieKeeper(window.document, name)
  const storage = storageKeeper(window, `latchkey.away:${name}`)
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
export function createHolding(window: HoldingWindow, page: string): Holding {
  const kept = createKept(window, page)
  return {
    get() {
      const text = kept.get()
      return text === undefined ? undefined : read(held, parsed(text))
    },
    set: (next) => kept.set(next && JSON.stringify(next)),
  }
}

interface Keeper {
  get(): string | undefined
  /** Whether it is kept now. */
  set(text: string | undefined): boolean
}

function storageKeeper(window: HoldingWindow, key: string): Keeper {
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

function cookieKeeper(document: Pick<Document, 'cookie'>, what: string): Keeper {
  // Every byte of a page's origin that a cookie's name may not hold becomes one that it may.
  const name = `latchkey.away.${what.replace(/[^\w.-]/g, '_')}`
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
      const age = text === undefined ? 0 : cookieSeconds
      try {
        document.cookie = `${name}=${value}; Max-Age=${age}; Path=/sdk; SameSite=None; Secure; Partitioned`
        return text !== undefined && get() === text
      } catch {
        return false
      }
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
