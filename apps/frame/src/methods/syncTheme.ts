import type { Method } from '../house.ts'

/** The page's look. What of it is used, `theme.ts` says. */
export const syncTheme: Method<'SYNC_THEME'> = async ({ settings }, said) => {
  settings.syncTheme(said)
  return undefined
}
