import type { Method } from '../house.ts'

/** What the page says about itself: decoration. Who it is, the browser says. */
export const syncDappData: Method<'SYNC_DAPP_DATA'> = async ({ settings }, said) => {
  settings.syncDapp(said)
  return undefined
}
