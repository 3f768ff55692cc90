import { type Reason, reasons } from './methods.ts'

/** An error that the other side returned or that is sent to it, with a code of the protocol or of EIP-1193. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number
  readonly data: unknown

  constructor({ code, message }: Reason, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** An `RpcError` with a reason of the protocol. */
export function rpcError(reason: keyof typeof reasons): RpcError {
  return new RpcError(reasons[reason])
}
