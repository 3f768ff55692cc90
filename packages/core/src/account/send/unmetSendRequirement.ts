import { sendNamespaces } from '@latchkey/protocol/specificationConstants'
import type { TransferFee } from '../../adapter.ts'
import type { PortfolioSubject, Token } from '../portfolioTypes.ts'
import type { SendRecipient, SendStep } from './sendTypes.ts'

/** The facts that determine the next step. */
export interface SendFacts {
  readonly subject: PortfolioSubject | undefined
  readonly token: Token | undefined
  readonly native: Token | undefined
  readonly amountText: string
  readonly amount: bigint | undefined
  readonly recipient: SendRecipient
  readonly fee: TransferFee | undefined
}

/**
 * Returns the first requirement that is not met, in the order of the specification: a token, a valid amount, an amount, a
 * sufficient balance, a recipient and a valid recipient. The fee comes last, because it depends on the others.
 */
export function unmetSendRequirement({
  subject,
  token,
  native,
  amountText,
  amount,
  recipient,
  fee,
}: SendFacts): SendStep {
  if (!subject) return 'connect'
  if (!sendNamespaces.includes(subject.network.chainNamespace)) return 'unsupported-chain'
  // There is no session while it is being restored.
  if (subject.session && !subject.session.can.send) return 'unsupported-wallet'
  if (!token) return 'select-token'
  const isEmpty = amountText.trim() === ''
  if (!isEmpty && (amount === undefined || (amount === 0n && token.price))) return 'incorrect-amount'
  if (amount === undefined || amount === 0n) return 'add-amount'
  if (amount > token.amount) return 'insufficient-funds'
  if (recipient.status === 'empty') return 'add-address'
  if (recipient.status === 'checking') return 'checking-address'
  if (recipient.status !== 'ready') return 'invalid-address'
  if (isFeeMissing({ subject, token, native, amount, fee })) return 'insufficient-fee'
  return subject.session ? 'review' : 'connect'
}

/** Whether the account cannot pay the fee. The fee of a smart account can be sponsored, which only the wallet knows. */
function isFeeMissing({
  subject,
  token,
  native,
  amount,
  fee,
}: {
  readonly subject: PortfolioSubject
  readonly token: Token
  readonly native: Token | undefined
  readonly amount: bigint
  readonly fee: TransferFee | undefined
}): boolean {
  if (!fee || !native || subject.session?.details?.type === 'smartAccount') return false
  return native.amount < fee.amount + (token.address === undefined ? amount : 0n)
}
