// Generated from the folders in packages/i18n/src/locales by `npm run locales`. Do not edit.

import { modal } from '@latchkey/i18n/locales/ja/modal'
import type { Messages } from '../messages.ts'

/** The modal's messages in Japanese. */
export const ja: Messages = modal
