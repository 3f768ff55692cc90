import type { Network } from '@latchkey/core/adapter'
import { toBase58 } from '@latchkey/protocol/bytes'
import { accountFailure } from '@latchkey/protocol/errors/accountErrorMessages'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { SolanaFeatures } from '../shared/solanaFeatures.ts'
import { toWalletError } from '../shared/walletErrors.ts'
import { createTransfer } from './createTransfer.ts'
import { solanaNode } from './solanaNode.ts'

const signatureBytes = 64

/** Asks the wallet to sign and send a transfer. Resolves to its signature. */
export async function sendTransfer({
  to,
  amount,
  token,
  decimals,
  maxWithheld,
  network,
  fetch,
  connectorId,
  sender,
  features,
}: {
  readonly to: string
  readonly amount: bigint
  readonly token?: string
  /** The decimal places for which `amount` was computed. Required for tokens. */
  readonly decimals?: number
  /** The most that the token may withhold from the amount. */
  readonly maxWithheld?: bigint
  readonly network: Network<'solana'>
  readonly fetch: typeof globalThis.fetch
  readonly connectorId: string
  /** Returns the address that sends, or `undefined` if it is no longer the active account. */
  sender(): string | undefined
  readonly features: SolanaFeatures
}): Promise<{ hash: string }> {
  const feature = features['solana:signAndSendTransaction']
  const method = 'solana_signAndSendTransaction'
  if (!feature) throw new LatchkeyError('wallet/unsupported', { method })
  // Without `decimals`, the network could not reject an amount that was computed with the wrong number of decimal places.
  if (token !== undefined && decimals === undefined)
    throw new LatchkeyError('input/invalid', { path: 'decimals', message: 'required for token transfers' })
  const from = sender()
  if (from === undefined) throw accountFailure('send/changed')
  const transfer = { from, to, amount, token, decimals, maxWithheld }
  const transaction = await createTransfer(solanaNode({ network, fetch }), transfer)
  if (sender() !== from) throw accountFailure('send/changed')
  const [sent] = await feature
    .signAndSendTransaction({ account: { address: from }, transaction })
    .catch((error: unknown) => {
      throw toWalletError(error, { request: method, connectorId })
    })
  const signature: unknown = sent?.signature
  if (!(signature instanceof Uint8Array) || signature.length !== signatureBytes)
    throw accountFailure('send/unconfirmed')
  return { hash: toBase58(signature) }
}
