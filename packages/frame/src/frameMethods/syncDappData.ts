import type { Method } from '../frameContext.ts'

/**
 * Stores the metadata that the page provides. The metadata is only displayed. The page is identified by the origin that the
 * browser reports.
 */
export const syncDappData: Method<'SYNC_DAPP_DATA'> = async ({ settings }, response) => {
  settings.syncDapp(response)
  return undefined
}
