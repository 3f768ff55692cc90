import { isMobileDevice, type Latchkey } from '@latchkey/core'

/** Whether the user is on a phone or tablet. The host's `platform` option takes precedence over device detection. */
export function isMobile({ options: { platform } }: Latchkey): boolean {
  return platform ? platform === 'mobile' : isMobileDevice()
}
