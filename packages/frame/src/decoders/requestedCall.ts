import type { Hex } from 'viem'

/** A call requested by a page. */
export interface Call {
  readonly to: Hex | undefined
  readonly value: bigint
  readonly data: Hex
}
