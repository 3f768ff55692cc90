import { isLatchkeyError, type LatchkeyError } from '@latchkey/protocol/latchkeyError'

/** Nodes reject a transaction that they already have, and wallets report their own timeouts as failures. */
const ambiguous = /already known|known transaction|nonce too low|underpriced|time.?d? ?out/i
/** The reasons of wallets and nodes for not sending a transaction. */
const definite =
  /insufficient|not enough|revert|intrinsic gas|gas required|out of gas|nonce too high|simulation failed|blockhash not found|not supported|unsupported|locked|cannot be negative|is not an \w+ address|exceeds (the )?(\w+ )?(balance|allowance|cap|gas limit)|invalid (address|amount|argument|chain|input|opcode|param|sender)/i

/**
 * Whether a wallet can have sent a transaction although it reported a failure. Only known reasons are certain: a wallet can report any
 * failure of its connection after it has sent the transaction.
 */
export function mayHaveBeenSent(error: LatchkeyError): boolean {
  if (!isLatchkeyError(error, 'wallet/failed')) return false
  const { message } = error.details
  return ambiguous.test(message) || !definite.test(message)
}
