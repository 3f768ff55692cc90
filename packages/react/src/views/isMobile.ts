import { isMobileDevice, type Latchkey } from '@latchkey/core'

/** Whether the visitor is on a phone or tablet: as the host says, else as the device does. */
export function isMobile({ options: { platform } }: Latchkey): boolean {
  return platform ? platform === 'mobile' : isMobileDevice()
}
