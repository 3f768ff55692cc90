import { isMobileDevice, type Latchkey } from '@latchkey/core'

/** Whether the user is on a phone or tablet, according to the host's options or else the device. */
export function isMobile({ options: { platform } }: Latchkey): boolean {
  return platform ? platform === 'mobile' : isMobileDevice()
}
