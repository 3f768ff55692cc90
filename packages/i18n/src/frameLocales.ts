// Generated from the folders in packages/i18n/src/locales by `npm run locales`. Do not edit.

/** Loads the key frame's translations. English is part of the bundle. */
export const frameLocales = {
  ar: () => import('./locales/ar/frame.ts'),
  de: () => import('./locales/de/frame.ts'),
  es: () => import('./locales/es/frame.ts'),
  fr: () => import('./locales/fr/frame.ts'),
  ja: () => import('./locales/ja/frame.ts'),
  ko: () => import('./locales/ko/frame.ts'),
  pt: () => import('./locales/pt/frame.ts'),
  zh: () => import('./locales/zh/frame.ts'),
}
