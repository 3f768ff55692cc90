import type { ConnectorGroup } from '@latchkey/core'

/** Whether the page has detected the wallet. A wallet that is configured by the host might not be installed. */
export function isInstalled(connector: ConnectorGroup | undefined): boolean {
  return !!connector?.members.some(({ type }) => type === 'ANNOUNCED' || type === 'INJECTED')
}
