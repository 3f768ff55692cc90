import type { Eip1193Provider } from '@latchkey/core/adapter'
import { sanitizeName } from '@latchkey/protocol/untrustedNames'
import { isProvider } from './eip1193Provider.ts'
import { safeIcon } from './walletIcon.ts'

/** A validated EIP-6963 announcement. */
export interface Announcement {
  readonly uuid: string | undefined
  readonly rdns: string | undefined
  readonly name: string | undefined
  readonly icon: string | undefined
  readonly provider: Eip1193Provider
}

/**
 * Validates an announcement. Returns `undefined` if it is invalid. Any script on the page can announce a wallet, so each field
 * is read once and validated, and objects whose getters throw are ignored. The code does not use a schema, because the schema
 * library would double the amount of code that is loaded before the first click.
 */
export function readAnnouncement(detail: unknown): Announcement | undefined {
  try {
    const { info, provider } = detail as { info: Record<string, unknown>; provider: unknown }
    const { uuid, rdns, name, icon } = info
    if (!isProvider(provider)) return undefined
    return {
      uuid: shaped(uuid, /^[\w-]{1,64}$/),
      rdns: shaped(rdns, /^[\w-]{1,63}(\.[\w-]{1,63}){1,6}$/),
      name: sanitizeName(name),
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
