import type { MessageKey } from '../screens/messages.ts'
import type { CountedItem } from './decodeCall.ts'
import type { OrderItem } from './decodedTypedData.ts'
import type { UntrustedText } from './untrustedText.ts'

// The content of approval screens before rendering and translation. The screens render exactly this content.

/** A displayed value. */
export type Shown =
  | { readonly kind: 'address'; readonly address: string }
  /** A token or collection, always with its address, because its name cannot be trusted. */
  | { readonly kind: 'token'; readonly token: string }
  /** In the smallest unit. Native currency if there is no token. */
  | { readonly kind: 'amount'; readonly amount: bigint; readonly token?: string | undefined }
  | { readonly kind: 'number'; readonly value: bigint }
  /** A number of items. */
  | { readonly kind: 'items'; readonly count: number }
  | ({ readonly kind: 'item'; readonly token: string } & CountedItem)
  | { readonly kind: 'orderItem'; readonly item: OrderItem }
  /** In Unix seconds. */
  | { readonly kind: 'time'; readonly at: bigint }
  | { readonly kind: 'untrusted'; readonly text: UntrustedText }
  | { readonly kind: 'message'; readonly word: MessageKey }

/** A message and the values of its placeholders. */
export interface Line {
  readonly word: MessageKey
  readonly blanks?: Readonly<Record<string, Shown>> | undefined
}

/** A name and its value. */
export interface ViewFact {
  readonly name: MessageKey
  /** A number shown after the name to distinguish several items. */
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
 * The risk of an approval. `unknown`: the effect cannot be determined, so the button is delayed. `high`: the possible loss is unlimited,
 * so a second step is required.
 */
export type Risk = 'normal' | 'unknown' | 'high'

/** The view of one effect. */
export interface EffectViewModel {
  /** The heading: the kind of effect in two or three words. */
  readonly title: MessageKey
  /** The consequence in one sentence, with its values. */
  readonly headline: Line
  readonly notices: readonly ViewNotice[]
  readonly facts: readonly ViewFact[]
  /** The raw data, if the effect could not be determined. */
  readonly raw?: { readonly selector: string; readonly data: string } | undefined
  readonly risk: Risk
}
