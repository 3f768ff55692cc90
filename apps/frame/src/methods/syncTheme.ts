import type { Method } from '../frameContext.ts'

/** The page's look. What of it is used, `theme.ts` says. */
export const syncTheme: Method<'SYNC_THEME'> = async ({ settings }, response) => {
  settings.syncTheme(response)
  return undefined
}
