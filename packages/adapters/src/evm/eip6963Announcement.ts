import type { Eip1193Provider } from '@latchkey/core/adapter'
import { shownName } from '@latchkey/protocol/displayName'
import { isProvider } from './requestTimeouts.ts'
import { safeIcon } from './walletIcon.ts'

/** One EIP-6963 announcement, as far as it can be believed. */
export interface Announcement {
  readonly uuid: string | undefined
  readonly rdns: string | undefined
  readonly name: string | undefined
  readonly icon: string | undefined
  readonly provider: Eip1193Provider
}

/**
 * What `detail` announces, or `undefined` when it announces nothing. Any script of the page may announce: each field is
 * read once, believed only in its shape, and an object that throws when read is no announcement. By hand rather than with
 * a schema: this is the only foreign value that a page meets before the first click, and the schema would weigh as much
 * as all the rest.
 */
export function readAnnouncement(detail: unknown): Announcement | undefined {
  try {
    const { info, provider } = detail as { info: Record<string, unknown>; provider: unknown }
    const { uuid, rdns, name, icon } = info
    if (!isProvider(provider)) return undefined
    return {
      uuid: shaped(uuid, /^[\w-]{1,64}$/),
      rdns: shaped(rdns, /^[\w-]{1,63}(\.[\w-]{1,63}){1,6}$/),
      name: shownName(name),
      icon: safeIcon(icon),
      provider,
    }
  } catch {
    return undefined
  }
}

function shaped(value: unknown, shape: RegExp): string | undefined {
  return typeof value === 'string' && shape.test(value) ? value : undefined
}
