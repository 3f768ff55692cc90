import { parseUnits } from '@latchkey/protocol/amount'
import { accountFailure } from '@latchkey/protocol/errors/accountErrorMessages'
import { isLatchkeyError, type LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { isSameAddress } from '@latchkey/protocol/recipientAddress'
import type { Adapter } from '../../adapter.ts'
import type { QueryResult } from '../../lib/queryResult.ts'
import type { PortfolioState, PortfolioSubject, Token } from '../portfolioTypes.ts'
import type { RecipientChecks } from './recipientChecks.ts'
import type { LookupSubject } from './recipientLookup.ts'
import { recipientWarnings } from './recipientWarnings.ts'
import { amountText, maxAmount, parseAmount } from './sendAmount.ts'
import type { SendDraft, SendInputs } from './sendDraft.ts'
import type { AmountUnit, SendReview, SendState, SendTransfer, SendWarning } from './sendTypes.ts'
import { unmetSendRequirement } from './unmetSendRequirement.ts'

/** The initial state of the form. */
export const initialState: SendState = {
  account: undefined,
  chain: undefined,
  tokens: { status: 'idle' },
  token: undefined,
  native: undefined,
  unit: 'token',
  amountText: '',
  amount: undefined,
  isMax: false,
  recipient: { text: '', status: 'empty' },
  fee: { status: 'idle' },
  warnings: { status: 'idle' },
  warningsConfirmed: false,
  step: 'connect',
  review: undefined,
  transfer: { status: 'idle' },
  recent: [],
}

/** The facts from which the state is derived. */
export interface FormFacts {
  readonly state: SendState
  readonly inputs: SendInputs
  readonly subject: PortfolioSubject | undefined
  readonly portfolio: PortfolioState
  readonly checks: RecipientChecks | undefined
  /** Whether the transfer in review was sent shortly before. */
  wasSent(review: SendReview): boolean
}

/** Returns the state with the token, the amount, the warnings and the next step that follow from the inputs. */
export function deriveState({ state, inputs, subject, portfolio, checks, wasSent }: FormFacts): SendState {
  const account = subject?.account
  const chain = subject?.network.caipNetworkId
  const tokens = tokensOf(portfolio, subject)
  const owned = (tokens.value ?? []).filter((token) => token.chain === chain)
  const token = owned.find(({ id }) => id === inputs.token)
  const native = owned.find(({ id }) => id === 'native')
  const fee = state.fee.value
  const amount = token && enteredAmount(inputs, token, fee)
  const { recipient } = state
  const shownText = inputs.isMax
    ? amount !== undefined && token
      ? amountText(amount, inputs.unit, token)
      : ''
    : inputs.amount
  const next: SendState = {
    ...state,
    account,
    chain,
    tokens,
    token,
    native,
    unit: inputs.unit,
    amountText: shownText,
    amount,
    isMax: inputs.isMax,
    step: unmetSendRequirement({ subject, token, native, amountText: shownText, amount, recipient, fee }),
  }
  const warnings = warningsOf(next, { checks, wasSent })
  // A confirmation applies to the warnings that the user has seen.
  const seen = seriousWarnings(state.warnings)
  const isConfirmed = state.warningsConfirmed && seriousWarnings(warnings).every((warning) => seen.includes(warning))
  return { ...next, warnings, warningsConfirmed: isConfirmed }
}

/**
 * Returns a key for each serious warning. Warnings about different things, such as different addresses, have different keys.
 */
function seriousWarnings({ value = [] }: SendState['warnings']): readonly string[] {
  return value.flatMap((warning) => (warning.isSerious ? Object.values(warning).join(' ') : []))
}

/** Returns the tokens, unless they are still those of another account. */
function tokensOf(
  { account, tokens }: PortfolioState,
  subject: PortfolioSubject | undefined,
): QueryResult<readonly Token[]> {
  return subject && account === subject.account ? tokens : { status: 'loading' }
}

function enteredAmount(inputs: SendInputs, token: Token, fee: SendState['fee']['value']): bigint | undefined {
  if (inputs.isMax) return maxAmount(token, fee)
  // The exact amount is only valid for the token and price for which it was determined. Otherwise, the amount is parsed from the
  // displayed text.
  const exact = inputs.exact === undefined ? undefined : parseUnits(inputs.exact, 0)
  return exact !== undefined && amountText(exact, inputs.unit, token) === inputs.amount
    ? exact
    : parseAmount(inputs.amount, inputs.unit, token)
}

function warningsOf(
  { account, chain, recipient, token, tokens, amount, recent, transfer, review, fee }: SendState,
  { checks, wasSent }: Pick<FormFacts, 'checks' | 'wasSent'>,
): QueryResult<readonly SendWarning[]> {
  const { address } = recipient
  if (!account || !chain || recipient.status !== 'ready' || address === undefined) return { status: 'idle' }
  if (!checks) return { status: 'loading' }
  const to = address
  const sentToken = review?.token ?? token
  const isRepeated =
    (review !== undefined && wasSent(review)) ||
    ((transfer.status === 'unknown' || transfer.status === 'pending') &&
      isSameAddress(transfer.review.to, to) &&
      transfer.review.token.id === token?.id &&
      transfer.review.chain === token?.chain &&
      transfer.review.amount === (review?.amount ?? amount))
  const isEstimating = fee.status === 'loading'
  const value = recipientWarnings({
    ...checks,
    address,
    account,
    token: sentToken,
    amount: review?.amount ?? amount,
    withheld: isEstimating ? undefined : fee.value?.withheld,
    isEstimating,
    tokens: (tokens.value ?? []).filter((owned) => owned.chain === chain),
    // The fee estimate compares the decimals, too.
    hasWrongDecimals:
      fee.status === 'failed' &&
      isLatchkeyError(fee.error, 'send/would-fail') &&
      fee.error.details.reason === 'decimals',
    hasWrongChecksum: recipient.hasWrongChecksum === true,
    isRepeated,
    name: recipient.name,
    chain,
    recent,
  })
  // The fee estimate determines how much of a token arrives.
  return { status: isEstimating && sentToken?.address !== undefined ? 'loading' : 'ready', value }
}

/** Returns the inputs that change when the unit is switched. The amount stays exactly the same. */
export function inUnit(unit: AmountUnit, inputs: SendInputs, { amount, token }: SendState): Partial<SendInputs> {
  if (unit === inputs.unit) return {}
  if (amount === undefined || !token) return { unit, amount: '' }
  return { unit, amount: amountText(amount, unit, token), exact: String(amount) }
}

/** Returns the outcome of a transfer that was requested before the page was reloaded. */
export function restored(sent: SendDraft['sent']): SendTransfer {
  if (!sent) return { status: 'idle' }
  const { review, at, hash } = sent
  return hash === undefined ? { status: 'unknown', review, at } : { status: 'pending', review, at, hash }
}

/** Returns the values on which the lookup of a recipient depends. */
export function lookupSubject(
  subject: PortfolioSubject | undefined,
  adapters: readonly Adapter[],
): LookupSubject | undefined {
  if (!subject) return undefined
  const { network, session } = subject
  return { network, session, adapter: adapters.find(({ namespace }) => namespace === network.chainNamespace) }
}

/** Returns the properties of the analytics event for opening the form. */
export function openProperties(subject: PortfolioSubject | undefined): { isSmartAccount: boolean; network: string } {
  return {
    isSmartAccount: subject?.session?.details?.type === 'smartAccount',
    network: subject?.network.caipNetworkId ?? '',
  }
}
