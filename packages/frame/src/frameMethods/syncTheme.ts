import type { Method } from '../frameContext.ts'

/** Stores the page's theme. `theme.ts` defines which values are used. */
export const syncTheme: Method<'SYNC_THEME'> = async ({ settings }, response) => {
  settings.syncTheme(response)
  return undefined
}
