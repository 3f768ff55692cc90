import type { Wallet } from '@latchkey/protocol/http/publicRoutes'

/** Whether the wallet has a link to an app that this page can pair with. */
export function canBePaired({ mobile_link, link_mode, desktop_link, webapp_link }: Wallet): boolean {
  return Boolean(mobile_link ?? link_mode ?? desktop_link ?? webapp_link)
}
