import type { MessageKey } from '../screens/messages.ts'
import type { Shown } from './effectViewModel.ts'

/** An address. */
export const address = (value: string): Shown => ({ kind: 'address', address: value })
/** A token or collection, by its address. */
export const token = (value: string): Shown => ({ kind: 'token', token: value })
/** An amount of native currency, in the smallest unit. */
export const coinAmount = (amount: bigint): Shown => ({ kind: 'amount', amount })
/** An amount of a token, in the smallest unit. */
export const tokenAmount = (of: string, amount: bigint): Shown => ({ kind: 'amount', amount, token: of })
/** A plain number. */
export const number = (value: bigint): Shown => ({ kind: 'number', value })
/** A translated text. */
export const message = (word: MessageKey): Shown => ({ kind: 'message', word })
/** The text for an unlimited amount. */
export const unlimited: Shown = message('unlimited')
