import { type ConnectorGroup, isMobileDevice, type Latchkey } from '@latchkey/core'

/** Whether the user is on a phone or tablet. The host's `platform` option takes precedence over device detection. */
export function isMobile({ options: { platform } }: Latchkey): boolean {
  return platform ? platform === 'mobile' : isMobileDevice()
}

/** Whether the page has detected the wallet. A wallet that is configured by the host might not be installed. */
export function isInstalled(connector: ConnectorGroup | undefined): boolean {
  return !!connector?.members.some(({ type }) => type === 'ANNOUNCED' || type === 'INJECTED')
}
