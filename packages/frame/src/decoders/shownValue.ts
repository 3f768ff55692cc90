import type { MessageKey } from '../screens/translations.ts'
import type { Shown } from './effectViewModel.ts'

/** Returns a displayable address. */
export const address = (value: string): Shown => ({ kind: 'address', address: value })
/** Returns a displayable token or collection for its address. */
export const token = (value: string): Shown => ({ kind: 'token', token: value })
/** Returns a displayable amount of native currency, given in the smallest unit. */
export const coinAmount = (amount: bigint): Shown => ({ kind: 'amount', amount })
/** Returns a displayable amount of a token, given in the smallest unit. */
export const tokenAmount = (of: string, amount: bigint): Shown => ({ kind: 'amount', amount, token: of })
/** Returns a displayable number. */
export const number = (value: bigint): Shown => ({ kind: 'number', value })
/** Returns a displayable translated text. */
export const message = (word: MessageKey): Shown => ({ kind: 'message', word })
/** The text displayed for an unlimited amount. */
export const unlimited: Shown = message('unlimited')
