import type { MessageKey } from '../texts/translations.ts'
import type { Shown } from './effectViewModel.ts'

/** Returns the value to display for an address. */
export const address = (value: string): Shown => ({ kind: 'address', address: value })
/** Returns the value to display for a token or collection, given its address. */
export const token = (value: string): Shown => ({ kind: 'token', token: value })
/** Returns the value to display for an amount of native currency in the smallest unit. */
export const coinAmount = (amount: bigint): Shown => ({ kind: 'amount', amount })
/** Returns the value to display for an amount of a token in the smallest unit. */
export const tokenAmount = (of: string, amount: bigint): Shown => ({ kind: 'amount', amount, token: of })
/** Returns the value to display for a number. */
export const number = (value: bigint): Shown => ({ kind: 'number', value })
/** Returns the value to display for a translated message. */
export const message = (word: MessageKey): Shown => ({ kind: 'message', word })
/** The value to display for an unlimited amount. */
export const unlimited: Shown = message('unlimited')
