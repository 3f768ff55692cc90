import type { Method } from '../frameContext.ts'

/** What the page says about itself: decoration. Who it is, the browser says. */
export const syncDappData: Method<'SYNC_DAPP_DATA'> = async ({ settings }, response) => {
  settings.syncDapp(response)
  return undefined
}
