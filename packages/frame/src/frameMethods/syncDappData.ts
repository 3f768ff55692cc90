import type { Method } from '../frameContext.ts'

/**
 * Stores the metadata that the page provides. Screens do not display it. They show the page's origin as reported by the browser
 * instead.
 */
export const syncDappData: Method<'SYNC_DAPP_DATA'> = async ({ settings }, response) => {
  settings.syncDapp(response)
  return undefined
}
