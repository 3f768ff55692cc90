import type { Hex } from 'viem'

/** One call as a page asks for it. */
export interface Call {
  readonly to: Hex | undefined
  readonly value: bigint
  readonly data: Hex
}
