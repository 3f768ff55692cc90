import type { accountMessages } from '../views/account/accountMessages.ts'
import type { profileMessages } from '../views/account/profileMessages.ts'
import type { connectingMessages } from '../views/connect/connectingMessages.ts'
import type { downloadMessages } from '../views/connect/downloadMessages.ts'
import type { infoMessages } from '../views/infoMessages.ts'
import type { legalMessages } from '../views/legalMessages.ts'
import type { backupMessages } from '../views/login/backupMessages.ts'
import type { loginMessages } from '../views/login/loginMessages.ts'
import type { nameMessages } from '../views/names/nameMessages.ts'
import type { networkMessages } from '../views/network/networkMessages.ts'
import type { onrampMessages } from '../views/onramp/onrampMessages.ts'
import type { onrampPurchaseMessages } from '../views/onramp/onrampPurchaseMessages.ts'
import type { pairingMessages } from '../views/pairing/pairingMessages.ts'
import type { compatibleNetworksMessages } from '../views/receive/compatibleNetworksMessages.ts'
import type { receiveMessages } from '../views/receive/receiveMessages.ts'
import type { sendFailureMessages } from '../views/send/sendFailureMessages.ts'
import type { sendFeeMessages } from '../views/send/sendFeeMessages.ts'
import type { sendMessages } from '../views/send/sendMessages.ts'
import type { sendNoticeMessages } from '../views/send/sendNoticeMessages.ts'
import type { sendOutcomeMessages } from '../views/send/sendOutcomeMessages.ts'
import type { sendReviewMessages } from '../views/send/sendReviewMessages.ts'
import type { sendScanMessages } from '../views/send/sendScanMessages.ts'
import type { sendWarningMessages } from '../views/send/sendWarningMessages.ts'
import type { signInMessages } from '../views/signIn/signInMessages.ts'
import type { signInSettingsMessages } from '../views/signIn/signInSettingsMessages.ts'
import type { smartSessionMessages } from '../views/smartSessions/smartSessionMessages.ts'
import type { swapFactMessages } from '../views/swap/swapFactMessages.ts'
import type { swapMessages } from '../views/swap/swapMessages.ts'
import type { swapNoticeMessages } from '../views/swap/swapNoticeMessages.ts'
import type { swapOutcomeMessages } from '../views/swap/swapOutcomeMessages.ts'
import type { swapPickerMessages } from '../views/swap/swapPickerMessages.ts'
import type { swapReviewMessages } from '../views/swap/swapReviewMessages.ts'
import type { swapReviewNoticeMessages } from '../views/swap/swapReviewNoticeMessages.ts'
import type { pickerMessages } from '../views/tokens/pickerMessages.ts'
import type { tokenMessages } from '../views/tokens/tokenMessages.ts'
import type { replaceMessages } from '../views/transactions/replaceMessages.ts'
import type { transactionListMessages } from '../views/transactions/transactionListMessages.ts'
import type { transactionMessages } from '../views/transactions/transactionMessages.ts'
import type { viewMessages } from '../views/viewMessages.ts'
import { buttonMessages } from './buttonMessages.ts'

const sentences = {
  'common.retry': 'Try again',
  'common.newTab': '(opens in a new tab)',
  'common.or': 'or',
  'common.yourWallet': 'your wallet',

  'modal.close': 'Close',
  'modal.back': 'Back',
  'modal.help': 'What is a wallet?',
  'modal.loading': 'Loading…',
  'modal.loadFailed': 'This page did not load.',

  'toast.transactions': 'Failed to fetch transactions',
  'toast.notAllowed': 'Action not allowed',

  'tag.installed': 'Installed',
  'tag.recent': 'Recent',
  'tag.connected': 'Connected',
  'tag.qr': 'QR code',

  'connect.title': 'Connect a wallet',
  'connect.wallets': 'Wallets',
  'connect.allWallets': 'All wallets',
  'connect.continue': 'Continue with a wallet',
  'connect.getWallet': 'Get a wallet',
  'connect.none.title': 'No wallet in this browser',
  'connect.none.body':
    'A wallet is a small app that holds what you own and signs you in. Getting one takes a few minutes.',

  'reason.unknown': 'Something went wrong.',
} as const

/** The type of the English catalog that is bundled with the modal. The messages are literal types. */
export type Source = typeof buttonMessages & typeof sentences

/** The type of all English messages. The placeholders in every locale are checked against it. */
export type WholeSource = Source &
  typeof viewMessages &
  typeof networkMessages &
  typeof connectingMessages &
  typeof downloadMessages &
  typeof profileMessages &
  typeof infoMessages &
  typeof legalMessages &
  typeof loginMessages &
  typeof backupMessages &
  typeof nameMessages &
  typeof onrampMessages &
  typeof onrampPurchaseMessages &
  typeof pairingMessages &
  typeof receiveMessages &
  typeof compatibleNetworksMessages &
  typeof pickerMessages &
  typeof sendReviewMessages &
  typeof sendOutcomeMessages &
  typeof sendMessages &
  typeof sendFeeMessages &
  typeof sendFailureMessages &
  typeof sendNoticeMessages &
  typeof sendWarningMessages &
  typeof sendScanMessages &
  typeof smartSessionMessages &
  typeof swapMessages &
  typeof swapReviewNoticeMessages &
  typeof swapPickerMessages &
  typeof swapNoticeMessages &
  typeof swapFactMessages &
  typeof swapReviewMessages &
  typeof swapOutcomeMessages &
  typeof accountMessages &
  typeof tokenMessages &
  typeof transactionMessages &
  typeof transactionListMessages &
  typeof replaceMessages &
  typeof signInSettingsMessages &
  typeof signInMessages

/**
 * The English messages that are bundled with the modal and Connect. The messages of the other views are stored next to them, for
 * example in `views/viewMessages.ts`. All other locales are translated from the English messages. Keys have the form `view.name`,
 * and placeholders are written in braces.
 */
export const messages: Source = { ...buttonMessages, ...sentences }

/** The key of a message. */
export type MessageKey = keyof WholeSource

/** The key of a message that has plural forms, without `.one` or `.other`. */
export type PluralKey = MessageKey extends infer Key ? (Key extends `${infer Base}.other` ? Base : never) : never

/** A complete catalog in any language. Some languages have more plural forms than English. */
export type Messages = Readonly<Record<MessageKey, string>> &
  Readonly<Partial<Record<`${PluralKey}.${'zero' | 'two' | 'few' | 'many'}`, string>>>
