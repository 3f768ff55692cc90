import type { Eip1193Provider } from '@latchkey/core/adapter'
import * as v from 'valibot'
import { safeIcon, shownName } from './appearance.ts'
import { isProvider } from './wire.ts'

/** One EIP-6963 announcement, as far as it can be believed. */
export interface Announcement {
  readonly uuid: string | undefined
  readonly rdns: string | undefined
  readonly name: string | undefined
  readonly icon: string | undefined
  readonly provider: Eip1193Provider
}

const text = v.optional(v.unknown())
const told = v.object({
  info: v.object({ uuid: text, name: text, icon: text, rdns: text }),
  provider: v.custom<Eip1193Provider>(isProvider),
})

/**
 * What `detail` announces, or `undefined` when it announces nothing. Any script of the page may announce: each field is
 * read once, believed only in its shape, and an object that throws when read is no announcement.
 */
export function readAnnouncement(detail: unknown): Announcement | undefined {
  try {
    const parsed = v.safeParse(told, detail)
    if (!parsed.success) return undefined
    const { info, provider } = parsed.output
    return {
      uuid: shaped(info.uuid, /^[\w-]{1,64}$/),
      rdns: shaped(info.rdns, /^[\w-]{1,63}(\.[\w-]{1,63}){1,6}$/),
      name: shownName(info.name),
      icon: safeIcon(info.icon),
      provider,
    }
  } catch {
    return undefined
  }
}

function shaped(value: unknown, shape: RegExp): string | undefined {
  return typeof value === 'string' && shape.test(value) ? value : undefined
}
