import { isLatchkeyError, type LatchkeyError } from '@latchkey/protocol/latchkeyError'

/**
 * Whether a wallet can have sent a transaction although it reported a failure: nodes reject a transaction that they already have,
 * and wallets report their own timeouts as failures.
 */
export function mayHaveBeenSent(error: LatchkeyError): boolean {
  return (
    isLatchkeyError(error, 'wallet/failed') &&
    /already known|known transaction|nonce too low|underpriced|time.?d? ?out/i.test(error.details.message)
  )
}
