import { RpcError } from '@latchkey/walletconnect'

/** The messages that wallets send with various codes when the user rejects a request. */
const rejectionMessage = /user rejected|connection request reset/i

/** Converts a WalletConnect Sign error to an EIP-1193 error. Returns other errors unchanged. */
export function asRpcError(error: unknown): unknown {
  if (!(error instanceof RpcError)) return error
  const { code, message, data } = error
  const isRejection = (code >= 5000 && code <= 5003) || rejectionMessage.test(message)
  const known = isRejection ? 4001 : code === 3001 || code === 5101 ? 4200 : code === 6000 ? 4900 : code
  return Object.assign(new Error(message || 'The wallet rejected the request.'), { code: known, data })
}
