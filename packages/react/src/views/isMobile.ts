import type { Latchkey } from '@latchkey/core'

/** Whether the visitor is on a phone: as the host says, else as the browser does. */
export function isMobile(latchkey: Latchkey): boolean {
  if (latchkey.options.platform) return latchkey.options.platform === 'mobile'
  return typeof navigator !== 'undefined' && /android|iphone|ipad|ipod/i.test(navigator.userAgent)
}
