import type { ConnectorGroup } from '@latchkey/core'

/** Whether this page has detected the wallet. A wallet that the host configures need not be installed. */
export function isInstalled(connector: ConnectorGroup | undefined): boolean {
  return !!connector?.members.some(({ type }) => type === 'ANNOUNCED' || type === 'INJECTED')
}
