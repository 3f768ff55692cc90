import { CodedError } from '@latchkey/protocol/codedError'
import { type Reason, reasons } from './signMethods.ts'

/** An error returned by the other peer or sent to it, with a code of the sign protocol or of EIP-1193. */
export class RpcError extends CodedError<number> {
  /** Always `RpcError`. */
  override readonly name = 'RpcError'
  /** Additional data of the error, not validated. `undefined` if there is none. */
  readonly data: unknown

  constructor({ code, message }: Reason, data?: unknown) {
    super(code, message)
    this.data = data
  }
}

/** Creates an `RpcError` with an error code of the sign protocol. */
export function rpcError(reason: keyof typeof reasons): RpcError {
  return new RpcError(reasons[reason])
}
