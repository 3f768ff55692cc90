import type { Method } from '../frameContext.ts'

/** Stores the metadata that the page provides. It is only displayed, because the page's origin is reported by the browser. */
export const syncDappData: Method<'SYNC_DAPP_DATA'> = async ({ settings }, response) => {
  settings.syncDapp(response)
  return undefined
}
