import { CodedError } from '@latchkey/protocol/codedError'
import { type Reason, reasons } from './protocolMethods.ts'

/** An error that the other peer returned or that is sent to it, with a code from the sign protocol or EIP-1193. */
export class RpcError extends CodedError<number> {
  /** Always `RpcError`. */
  override readonly name = 'RpcError'
  /** Additional error data, which is not validated. `undefined` if there is no data. */
  readonly data: unknown

  constructor({ code, message }: Reason, data?: unknown) {
    super(code, message)
    this.data = data
  }
}

/** Creates an `RpcError` with an error code from the sign protocol. */
export function rpcError(reason: keyof typeof reasons): RpcError {
  return new RpcError(reasons[reason])
}
