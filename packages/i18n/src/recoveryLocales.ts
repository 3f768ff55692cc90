// Generated from the folders in packages/i18n/src/locales by `npm run locales`. Do not edit.

import { recovery as ar } from './locales/ar/recovery.ts'
import { recovery as de } from './locales/de/recovery.ts'
import { recovery as en } from './locales/en/recovery.ts'
import { recovery as es } from './locales/es/recovery.ts'
import { recovery as fr } from './locales/fr/recovery.ts'
import { recovery as ja } from './locales/ja/recovery.ts'
import { recovery as ko } from './locales/ko/recovery.ts'
import { recovery as pt } from './locales/pt/recovery.ts'
import { recovery as zh } from './locales/zh/recovery.ts'

/** The recovery page's messages in each language. */
export const recoveryLocales = { ar, de, en, es, fr, ja, ko, pt, zh }
