import { formatUnits } from '@latchkey/protocol/amount'
import { accountFailure } from '@latchkey/protocol/errors/accountErrorMessages'
import { type LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { AnalyticsEvent } from '../../analytics/analyticsEvents.ts'
import { mayHaveBeenSent } from '../../lib/mayHaveBeenSent.ts'
import type { PortfolioSubject } from '../portfolioTypes.ts'
import type { SendReview, SendTransfer } from './sendTypes.ts'

/**
 * Sends a reviewed transfer through the wallet, and reports its status. Rejects without a request to the wallet if the account or
 * network is no longer the reviewed one.
 */
export async function submitTransfer({
  review,
  withheld,
  subject,
  now,
  track,
  put,
}: {
  readonly review: SendReview
  /** The most that the token withholds, as the user has seen it. */
  readonly withheld: bigint | undefined
  readonly subject: PortfolioSubject | undefined
  /** Returns the time, in epoch milliseconds. */
  now(): number
  track(event: AnalyticsEvent): void
  put(transfer: Exclude<SendTransfer, { readonly status: 'idle' }>): void
}): Promise<{ hash: string }> {
  const { account, chain, token, amount, to } = review
  const send = subject?.session?.can.send
  if (
    !send ||
    subject.account !== account ||
    subject.network.caipNetworkId !== chain ||
    subject.session?.chain !== chain
  )
    throw accountFailure('send/changed')
  const properties = {
    isSmartAccount: subject.session?.details?.type === 'smartAccount',
    network: chain,
    token: token.symbol,
    amount: Number(formatUnits(amount, token.decimals)),
  }
  put({ status: 'requested', review })
  track({ event: 'SEND_INITIATED', properties })
  try {
    const { hash } = await send({
      from: account,
      to,
      amount,
      ...(token.address !== undefined && { token: token.id, decimals: token.decimals }),
      ...(withheld !== undefined && { maxWithheld: withheld }),
    })
    put({ status: 'pending', review, hash, at: now() })
    track({ event: 'SEND_SUCCESS', properties: { ...properties, hash } })
    return { hash }
  } catch (cause) {
    const error = toLatchkeyError(cause)
    put(wasNotSent(error) ? { status: 'failed', review, error } : { status: 'unknown', review, at: now(), error })
    const event = error.code === 'user/rejected' ? 'SEND_REJECTED' : 'SEND_ERROR'
    track({ event, properties: { ...properties, message: error.message } })
    throw error
  }
}

/**
 * Whether an error means that the wallet did not send the transaction. After other errors, such as a lost connection, the wallet
 * might have sent it.
 */
function wasNotSent(error: LatchkeyError): boolean {
  const { code } = error
  if (code === 'send/unconfirmed' || mayHaveBeenSent(error)) return false
  const definite: readonly string[] = [
    'user/rejected',
    'wallet/busy',
    'wallet/failed',
    'wallet/not-authorized',
    'wallet/unsupported',
    'wallet/unreachable',
    'network/not-found',
    'network/unsupported',
    'input/invalid',
  ]
  return code.startsWith('send/') || definite.includes(code)
}
