import { type Reason, reasons } from './methods.ts'

/** A no of the other side, or one that is sent to it: a code of the protocol or of EIP-1193, and its words. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: number
  readonly data: unknown

  constructor({ code, message }: Reason, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** The refusal of a reason of the protocol. */
export function refusal(reason: keyof typeof reasons): Refusal {
  return new Refusal(reasons[reason])
}
