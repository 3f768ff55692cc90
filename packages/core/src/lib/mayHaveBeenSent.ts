import { isLatchkeyError, type LatchkeyError } from '@latchkey/protocol/latchkeyError'

/**
 * The messages of failures after which a transaction may have been sent. Nodes reject a transaction that they already have, and
 * wallets also report failures that occurred after sending, such as a timeout or an unreadable receipt.
 */
const ambiguous =
  /already|known transaction|nonce too low|underpriced|time.?d? ?out|confirmations|receipt|broadcast|\bmined\b|mempool|peers|pending|submitted|was sent|(block|transaction)hash"|eth_(get|block)|respon[sd]|blocked/i
/** The messages with which wallets and nodes report that they did not send a transaction. */
const definite =
  /(insufficient|not enough)[\s_]*(\w+[\s_])?(funds|balance|lamports|gas|fee|eth|sol|tokens?|allowance|amount|liquidity)|revert|intrinsic gas|gas required|out of gas|nonce too high|simulation failed|blockhash not found|not supported|unsupported|\blocked\b|cannot be negative|is not an \w+ address|exceeds (the )?(\w+ )?(balance|allowance|cap|gas limit)|invalid (address|amount|argument|chain|input|opcode|param|sender)/i

/**
 * Whether a wallet might have sent a transaction although it reported a failure. Unknown messages count as possibly sent,
 * because a wallet can report any connection failure after it has sent the transaction.
 */
export function mayHaveBeenSent(error: LatchkeyError): boolean {
  if (!isLatchkeyError(error, 'wallet/failed')) return false
  const { message } = error.details
  return ambiguous.test(message) || !definite.test(message)
}
