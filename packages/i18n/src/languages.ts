// Generated from the folders in packages/i18n/src/locales by `npm run locales`. Do not edit.

/** The languages of Latchkey. */
export const languages = ['en', 'ar', 'de', 'es', 'fr', 'ja', 'ko', 'pt', 'zh'] as const

/** A language of Latchkey. */
export type Language = (typeof languages)[number]

/** The languages that are written from right to left. */
export const rightToLeft: readonly Language[] = ['ar']
