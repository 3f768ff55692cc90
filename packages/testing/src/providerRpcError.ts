/** The error of EIP-1193: 4001 declined, 4100 not authorised, 4200 unsupported, 4900 disconnected, 4902 unknown chain. */
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
