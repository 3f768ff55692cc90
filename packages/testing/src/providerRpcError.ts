/** An EIP-1193 error: 4001 rejected, 4100 unauthorized, 4200 unsupported, 4900 disconnected; and 4902 unrecognized chain (EIP-3085). */
export class ProviderRpcError extends Error {
  override readonly name = 'ProviderRpcError'
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}
