import { RpcError } from '@latchkey/walletconnect'

/** What wallets say when a person said no, whatever code they put beside it. */
const saidNo = /user rejected|connection request reset/i

/** A refusal of the sign protocol with the codes of EIP-1193; any other error as it is. */
export function asRpcError(error: unknown): unknown {
  if (!(error instanceof RpcError)) return error
  const { code, message, data } = error
  const isRejection = (code >= 5000 && code <= 5003) || saidNo.test(message)
  const known = isRejection ? 4001 : code === 3001 || code === 5101 ? 4200 : code === 6000 ? 4900 : code
  return Object.assign(new Error(message || 'The wallet refused.'), { code: known, data })
}
