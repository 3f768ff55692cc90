import { formatUnits } from '@latchkey/protocol/amount'
import type { Clock } from '@latchkey/protocol/clock'
import { accountFailure } from '@latchkey/protocol/errors/accountErrorMessages'
import { isLatchkeyError, LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { sendNamespaces } from '@latchkey/protocol/specificationConstants'
import type { Adapter } from '../../adapter.ts'
import type { AnalyticsEvent } from '../../analytics/analyticsEvents.ts'
import type { ChainApiClient } from '../../chainApi/chainApiClient.ts'
import type { Log } from '../../lib/log.ts'
import { createStore, type ReadableStore } from '../../lib/store.ts'
import type { StorageEntry } from '../../storage/storageEntry.ts'
import type { AccountNames } from '../accountNamesTypes.ts'
import type { Activity, PendingTransaction } from '../pendingTransactionTypes.ts'
import type { PortfolioSubject } from '../portfolio.ts'
import type { Portfolio } from '../portfolioTypes.ts'
import { nativeTokenId } from '../refreshAfterTransaction.ts'
import {
  deriveState,
  initialState,
  inUnit,
  lookupSubject,
  missing,
  openProperties,
  restored,
} from './deriveSendState.ts'
import { createFeeEstimate } from './feeEstimate.ts'
import type { RecentRecipients, SentTransfer } from './recentRecipients.ts'
import { createRecipientChecks, type RecipientChecks } from './recipientChecks.ts'
import { createRecipientLookup } from './recipientLookup.ts'
import { emptyInputs, type SendDraft, type SendInputs } from './sendDraft.ts'
import type { Send, SendReview, SendState, SendTransfer } from './sendTypes.ts'
import { submitTransfer } from './submitTransfer.ts'

/** The dependencies of the form for sending tokens. */
export interface SendDependencies {
  /** The chain API of the configured server, if there is one. */
  readonly api: ChainApiClient | undefined
  readonly adapters: readonly Adapter[]
  /** The host's `fetch`. */
  readonly fetch?: typeof fetch
  readonly portfolio: Portfolio
  /** Loads the server's account names, if there are any. */
  names(): Promise<AccountNames | undefined>
  /** The hosts of the page and of its server. The server only resolves the names of their own domains. */
  readonly hosts: readonly string[]
  readonly draft: StorageEntry<SendDraft>
  readonly recent: RecentRecipients
  readonly activity: Activity
  /** The transactions that the page sent. Their status shows when a transfer is included in a block. */
  readonly transactions: ReadableStore<readonly PendingTransaction[]>
  /** Calls the listener when the account, the network or the session might have changed. Returns a function that removes it. */
  onChange(listener: () => void): () => void
  /** Whether the modal shows the form, or one of its views. */
  isShown(): boolean
  /** Returns the active account, with its network and wallet session. */
  now(): PortfolioSubject | undefined
  track(event: AnalyticsEvent): void
  readonly clock: Clock
  readonly log: Pick<Log, 'info'>
}

/** How long the same transfer counts as a repetition after it was sent in any tab, in milliseconds. */
const repeatMs = 600_000
/** How often the fee of a transfer in review is estimated again, in milliseconds. */
const reviewFeeMs = 15_000

/** Creates the form for sending tokens. It starts with what was entered before the page was reloaded. */
export function createSend(dependencies: SendDependencies): Send {
  const { portfolio, draft, recent, transactions, clock, track } = dependencies
  const fetch = dependencies.fetch
  const stored = draft.get()
  const state = createStore<SendState>({ ...initialState, transfer: restored(stored?.sent) })
  const check = createRecipientChecks({ ...dependencies, fetch })
  let inputs: SendInputs = stored?.inputs ?? emptyInputs
  let checks:
    | { readonly key: string; readonly controller: AbortController; readonly value?: RecipientChecks }
    | undefined
  let opened: object | undefined
  let wasOpened = false
  let submitting: Promise<{ readonly hash: string }> | undefined
  let subjectKey = ''
  let cancelReviewFee = (): void => {}

  const subject = (): PortfolioSubject | undefined => dependencies.now()
  const publish = (change: Partial<SendState> = {}): void => {
    const next = deriveState({
      state: { ...state.get(), ...change },
      inputs,
      subject: subject(),
      portfolio: portfolio.state.get(),
      checks: checks?.value,
      // This form's own request does not repeat itself.
      wasSent: (review) =>
        (change.transfer ?? state.get().transfer).status !== 'requested' &&
        recent.wasSent(sentTransfer(review), clock.now() - repeatMs),
    })
    state.set(next)
  }
  const fee = createFeeEstimate({
    ...dependencies,
    fetch,
    put: (change) => publish({ fee: change(state.get().fee) }),
  })
  const lookup = createRecipientLookup({
    ...dependencies,
    fetch,
    found(recipient) {
      publish({ recipient })
      update()
    },
  })

  /** Starts the checks of the recipient and the token, and the estimate of the fee, if what they depend on has changed. */
  function update(): void {
    const now = subject()
    const { recipient, token, amount, isMax } = state.get()
    const to = recipient.status === 'ready' ? recipient.address : undefined
    const key = now && to ? `${now.account} ${now.network.caipNetworkId} ${to} ${token?.id}` : ''
    if (key !== (checks?.key ?? '')) checkTransfer(key, to, now)
    const canEstimate = now && token && token.amount > 0n && sendNamespaces.includes(now.network.chainNamespace)
    const isValid = amount !== undefined && amount > 0n && amount <= (token?.amount ?? 0n)
    // The maximum depends on the fee, so the fee must not depend on the maximum.
    const asked = isValid && !(isMax && token?.address === undefined) ? amount : undefined
    fee.ask(canEstimate ? { subject: now, token, to, amount: asked } : undefined)
  }
  function checkTransfer(key: string, to: string | undefined, now: PortfolioSubject | undefined): void {
    checks?.controller.abort()
    const controller = new AbortController()
    checks = key ? { key, controller } : undefined
    publish()
    if (!now || !to) return
    void check({ to, token: state.get().token, subject: now }, controller.signal).then((value) => {
      if (controller.signal.aborted) return
      checks = { key, controller, value }
      publish()
    })
  }
  const save = (): void => {
    const sent = draft.get()?.sent
    draft.set({ inputs, ...(sent && { sent }) })
  }
  /** Changes the inputs. Ends the review, because a confirmation of warnings only applies to one transfer. */
  const enter = (change: Partial<SendInputs>): void => {
    inputs = { ...inputs, ...change }
    save()
    endReview()
    update()
  }
  /** Returns the inputs with an amount that is neither a rounded amount nor the maximum. */
  const typed = (amount: string): SendInputs => {
    const { exact: _, ...rest } = inputs
    return { ...rest, amount, isMax: false }
  }
  const lookUp = (now?: boolean): void =>
    lookup.start(inputs.recipient, {
      subject: lookupSubject(subject(), dependencies.adapters),
      ...(now && { now }),
    })

  function followSubject(): void {
    if (!dependencies.isShown()) wasOpened = false
    const now = subject()
    const next = now
      ? [now.account, now.network.caipNetworkId, now.session?.details?.type, Boolean(now.session)].join(' ')
      : ''
    if (next === subjectKey) return
    const isFirst = subjectKey === ''
    subjectKey = next
    // A reviewed transfer cannot be sent from another account or network. The inputs are kept.
    if (!isFirst && state.get().transfer.status !== 'requested') endReview()
    publish({ warningsConfirmed: false, recent: recent.of(now?.account) })
    if (now) void portfolio.refresh()
    lookUp(true)
  }
  function followTransactions(): void {
    const { transfer } = state.get()
    const all = transactions.get()
    const found = 'hash' in transfer ? all.find(({ hash }) => hash === transfer.hash) : undefined
    if (recent.settle(all)) publish({ recent: recent.of(subject()?.account) })
    if (!found || transfer.status !== 'pending' || found.status === 'pending') return
    // The wallet can have sent the same transfer again with a higher fee.
    if (found.status === 'replaced') setTransfer({ status: 'unknown', review: transfer.review, at: transfer.at })
    else if (found.status === 'dropped') {
      restoreInputs(transfer.review)
      setTransfer({ status: 'failed', review: transfer.review, error: accountFailure('send/expired') })
    } else setTransfer({ ...transfer, status: found.status === 'done' ? 'done' : 'reverted' })
    const { chain, token } = transfer.review
    void portfolio.refresh({ force: [nativeTokenId(chain), ...(token.address === undefined ? [] : [token.id])] })
  }
  /** Sets the outcome, and stores it until the account's activity shows it. */
  function setTransfer(transfer: SendTransfer): void {
    if (transfer.status === 'requested' || transfer.status === 'unknown')
      draft.set({ inputs, sent: { review: transfer.review, at: clock.now() } })
    else if (transfer.status === 'pending')
      draft.set({ inputs, sent: { review: transfer.review, at: transfer.at, hash: transfer.hash } })
    else draft.set({ inputs })
    publish({ transfer })
  }
  /** Fills in a transfer that was not executed again, unless the user has begun another one. */
  function restoreInputs({ token, amount, to, name }: SendReview): void {
    if (inputs.amount !== '' || inputs.recipient !== '' || inputs.isMax) return
    enter({ token: token.id, amount: formatUnits(amount, token.decimals), unit: 'token', recipient: name ?? to })
    lookUp(true)
  }
  function remember(
    review: SendReview,
    { at, hash }: { readonly at: number; readonly hash: string | undefined },
  ): void {
    recent.add({ ...sentTransfer(review), name: review.name, at, hash })
  }
  /** Sets the outcome. From the request on, other tabs see that the transfer may have been sent, until the wallet has not sent it. */
  function follow(transfer: SendTransfer, requestedAt: number): void {
    if (transfer.status === 'requested') remember(transfer.review, { at: requestedAt, hash: undefined })
    else if (transfer.status === 'failed' || transfer.status === 'pending')
      recent.withdraw({ ...sentTransfer(transfer.review), at: requestedAt })
    if (transfer.status === 'pending') remember(transfer.review, transfer)
    setTransfer(transfer)
  }
  function endReview(): void {
    cancelReviewFee()
    publish({ review: undefined, warningsConfirmed: false })
  }
  function refreshReviewFee(): void {
    cancelReviewFee = clock.after(reviewFeeMs, () => {
      if (globalThis.document?.visibilityState !== 'hidden') fee.again()
      refreshReviewFee()
    })
  }

  async function submit(label: string): Promise<{ readonly hash: string }> {
    // Another tab could have sent the same transfer in the meantime.
    publish()
    const { review, warnings, warningsConfirmed } = state.get()
    if (!review) throw missing(state.get())
    const refusal = warnings.value?.find(({ kind }) => kind === 'decimals' || kind === 'symbol')
    if (refusal) throw accountFailure('send/would-fail', { reason: refusal.kind })
    if (warnings.status !== 'ready' || (warnings.value.some(({ isSerious }) => isSerious) && !warningsConfirmed))
      throw new LatchkeyError('input/invalid', { path: 'warnings', message: 'have not been confirmed' })
    const requestedAt = clock.now()
    const put = (transfer: SendTransfer): void => follow(transfer, requestedAt)
    try {
      const { hash } = await submitTransfer({ review, subject: subject(), now: clock.now, track, put })
      const { account, chain } = review
      inputs = { ...emptyInputs, token: inputs.token }
      save()
      lookUp()
      dependencies.activity.add({ hash, label, chain, account })
      endReview()
      return { hash }
    } catch (error) {
      // If the wallet did not send the transfer, the user can try again. Otherwise, they have to review it again.
      if (state.get().transfer.status === 'unknown' || isLatchkeyError(error, 'send/changed')) endReview()
      throw error
    }
  }

  const unsubscribe = [
    portfolio.state.subscribe(() => {
      publish()
      update()
    }),
    transactions.subscribe(followTransactions),
    dependencies.onChange(followSubject),
  ]
  followSubject()
  followTransactions()

  return {
    state,
    open(values) {
      // The user returns to the form after selecting a token, which must not be reported again.
      if (!wasOpened) track({ event: 'OPEN_SEND', properties: openProperties(subject()) })
      wasOpened = true
      const { transfer } = state.get()
      // The account's activity shows the outcome. Only an outcome that it does not show is kept here.
      if (transfer.status !== 'requested' && transfer.status !== 'unknown') setTransfer({ status: 'idle' })
      followSubject()
      void portfolio.refresh()
      if (!values || values === opened) return
      opened = values
      const { token, amount, to } = values
      if (amount !== undefined) inputs = { ...typed(amount), unit: 'token' }
      enter({ ...(token !== undefined && { token }), ...(to !== undefined && { recipient: to }) })
      if (to !== undefined) lookUp(true)
    },
    setToken: (token) => enter({ ...typed(inputs.isMax ? '' : inputs.amount), token }),
    setAmount(amount) {
      inputs = typed(amount)
      enter({})
    },
    setUnit: (unit) => enter(inUnit(unit, inputs, state.get())),
    setMax() {
      inputs = typed('')
      enter({ isMax: true, unit: 'token' })
    },
    setRecipient(recipient) {
      if (recipient === inputs.recipient) return
      enter({ recipient })
      lookUp()
    },
    acceptChecksum() {
      const { recipient } = state.get()
      if (recipient.status !== 'wrong-checksum') return
      publish({ recipient: { ...recipient, status: 'ready', hasWrongChecksum: true } })
      update()
    },
    retry() {
      const { recipient, tokens } = state.get()
      if (recipient.status === 'failed') lookUp(true)
      else if (checks) checkTransfer(checks.key, recipient.address, subject())
      if (tokens.status === 'failed') void portfolio.refresh({ force: [] })
      fee.again()
    },
    startReview() {
      const now = subject()
      const { step, token, amount, recipient } = state.get()
      if (step !== 'review' || !now || !token || amount === undefined || recipient.address === undefined) return false
      cancelReviewFee()
      publish({
        review: {
          account: now.account,
          chain: now.network.caipNetworkId,
          token,
          amount,
          to: recipient.address,
          ...(recipient.name !== undefined && { name: recipient.name }),
          ...(recipient.image !== undefined && { image: recipient.image }),
        },
        warningsConfirmed: false,
        ...(state.get().transfer.status === 'failed' && { transfer: { status: 'idle' } }),
      })
      refreshReviewFee()
      return true
    },
    endReview,
    confirmWarnings: (warningsConfirmed) => publish({ warningsConfirmed }),
    submit({ label }) {
      submitting ??= submit(label).finally(() => {
        submitting = undefined
      })
      return submitting
    },
    dismiss() {
      if (state.get().transfer.status !== 'requested') setTransfer({ status: 'idle' })
    },
    clearRecent() {
      const account = subject()?.account
      if (!account) return
      recent.clear(account)
      publish({ recent: [] })
    },
    stop() {
      for (const stop of unsubscribe) stop()
      cancelReviewFee()
      lookup.stop()
      fee.stop()
      checks?.controller.abort()
    },
  }
}

function sentTransfer({ account, chain, to, token, amount }: SendReview): SentTransfer {
  return { account, chain, address: to, token: token.id, amount }
}
