import type { MessageKey } from '../texts/translations.ts'
import type { CountedItem } from './decodeCall.ts'
import type { OrderItem } from './typedDataParts.ts'
import type { UntrustedText } from './untrustedText.ts'

// The content with which approval screens describe effects, before it is translated and rendered.

/** A value to display. */
export type Shown =
  | { readonly kind: 'address'; readonly address: string }
  /** A token or collection. Its address is always displayed, because its name cannot be trusted. */
  | { readonly kind: 'token'; readonly token: string }
  /** An amount in the smallest unit. If there is no `token`, it is an amount of native currency. */
  | { readonly kind: 'amount'; readonly amount: bigint; readonly token?: string | undefined }
  | { readonly kind: 'number'; readonly value: bigint }
  /** A number of items. */
  | { readonly kind: 'items'; readonly count: number }
  | ({ readonly kind: 'item'; readonly token: string } & CountedItem)
  | { readonly kind: 'orderItem'; readonly item: OrderItem }
  /** A time in Unix seconds. */
  | { readonly kind: 'time'; readonly at: bigint }
  | { readonly kind: 'untrusted'; readonly text: UntrustedText }
  | { readonly kind: 'message'; readonly word: MessageKey }

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

/** A message and the values of its placeholders. */
export interface Line {
  readonly word: MessageKey
  readonly blanks?: Readonly<Record<string, Shown>> | undefined
}

/** A name and its value. */
export interface ViewFact {
  readonly name: MessageKey
  /** The number shown after the name when there are several items. */
  readonly number?: number | undefined
  readonly value: Shown
  readonly danger?: boolean | undefined
  /** Whether to emphasize the fact. */
  readonly strong?: boolean | undefined
}

/** A warning or an informational message. */
export interface ViewNotice extends Line {
  readonly tone: 'info' | 'warning' | 'error'
}

/**
 * The risk of an approval. If it is `unknown`, the effect could not be determined, so the approve button is enabled after a
 * longer delay. If it is `high`, the possible loss is unlimited, so the user must also confirm twice.
 */
export type Risk = 'normal' | 'unknown' | 'high'

/** What the approval screen shows about one effect. */
export interface EffectDescription {
  /** The heading, which describes the kind of effect in two or three words. */
  readonly title: MessageKey
  /** A sentence that describes the consequence. */
  readonly headline: Line
  readonly notices: readonly ViewNotice[]
  readonly facts: readonly ViewFact[]
  /** The raw data, if the effect could not be determined. */
  readonly raw?: { readonly selector: string; readonly data: string } | undefined
  readonly risk: Risk
}
