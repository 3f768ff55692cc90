// Generated from the folders in packages/i18n/src/locales by `npm run locales`. Do not edit.

import { mail as ar } from './locales/ar/mail.ts'
import { mail as de } from './locales/de/mail.ts'
import { mail as en } from './locales/en/mail.ts'
import { mail as es } from './locales/es/mail.ts'
import { mail as fr } from './locales/fr/mail.ts'
import { mail as ja } from './locales/ja/mail.ts'
import { mail as ko } from './locales/ko/mail.ts'
import { mail as pt } from './locales/pt/mail.ts'
import { mail as zh } from './locales/zh/mail.ts'

/** The email messages in each language. */
export const mailLocales = { ar, de, en, es, fr, ja, ko, pt, zh }
