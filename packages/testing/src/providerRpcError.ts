/**
 * An EIP-1193 error: 4001 (rejected), 4100 (unauthorized), 4200 (unsupported), 4900 (disconnected) or 4902 (unrecognized chain,
 * EIP-3085).
 */
export class ProviderRpcError extends Error {
  /** Always `ProviderRpcError`. */
  override readonly name = 'ProviderRpcError'
  /** The error code (EIP-1193 or JSON-RPC). */
  readonly code: number
  /** Additional data, or `undefined` if there is none. */
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}
