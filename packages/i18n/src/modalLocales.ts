// Generated from the folders in packages/i18n/src/locales by `npm run locales`. Do not edit.

/** Loads the modal's translations. English is part of the bundle. */
export const modalLocales = {
  ar: () => import('./locales/ar/modal.ts'),
  de: () => import('./locales/de/modal.ts'),
  es: () => import('./locales/es/modal.ts'),
  fr: () => import('./locales/fr/modal.ts'),
  ja: () => import('./locales/ja/modal.ts'),
  ko: () => import('./locales/ko/modal.ts'),
  pt: () => import('./locales/pt/modal.ts'),
  zh: () => import('./locales/zh/modal.ts'),
}
