import type { Clock } from '@latchkey/protocol/clock'
import type { Adapter } from '../../adapter.ts'
import type { AnalyticsEvent } from '../../analytics/analyticsEvents.ts'
import type { ChainApiClient } from '../../chainApi/chainApiClient.ts'
import type { Log } from '../../lib/log.ts'
import { createStore, type ReadableStore } from '../../lib/store.ts'
import type { StorageEntry } from '../../storage/storageEntry.ts'
import type { AccountNames } from '../accountNamesTypes.ts'
import type { Activity, PendingTransaction } from '../pendingTransactionTypes.ts'
import type { Portfolio, PortfolioSubject } from '../portfolioTypes.ts'
import { deriveState, initialState, lookupSubject, openProperties, restored } from './deriveSendState.ts'
import { createFeeEstimate } from './feeEstimate.ts'
import type { RecentRecipients } from './recentRecipients.ts'
import { createRecipientChecks } from './recipientChecks.ts'
import { createRecipientLookup } from './recipientLookup.ts'
import type { SendDraft } from './sendDraft.ts'
import { createSendReview } from './sendReview.ts'
import type { Send, SendState } from './sendTypes.ts'
import { createStoredInputs } from './storedInputs.ts'
import { createSubmit } from './submitReview.ts'
import { createTransferChecks } from './transferChecks.ts'
import { createTransferOutcome, sentTransfer } from './transferOutcome.ts'

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
  /**
   * The hosts of the server and of the page, in this order. The server only resolves names in a zone that is one of their
   * domains.
   */
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

/** Creates the form for sending tokens. It starts with the input from before the page was reloaded. */
export function createSend(dependencies: SendDependencies): Send {
  const { adapters, portfolio, draft, recent, transactions, clock, track, now: subject } = dependencies
  const shared = { ...dependencies, fetch: dependencies.fetch }
  const state = createStore<SendState>({ ...initialState, transfer: restored(draft.get()?.sent) })
  let opened: object | undefined
  let wasOpened = false
  let subjectKey = ''

  const publish = (change: Partial<SendState> = {}): void => {
    const next = deriveState({
      state: { ...state.get(), ...change },
      inputs: inputs.get(),
      subject: subject(),
      portfolio: portfolio.state.get(),
      checks: checks.results(),
      // The form's own request is not a repetition.
      wasSent: (reviewed) =>
        (change.transfer ?? state.get().transfer).status !== 'requested' &&
        recent.wasSent(sentTransfer(reviewed), clock.now() - repeatMs),
    })
    state.set(next)
  }
  const fee = createFeeEstimate({ ...shared, put: (change) => publish({ fee: change(state.get().fee) }) })
  const checks = createTransferChecks({
    check: createRecipientChecks(shared),
    fee,
    state: state.get,
    subject,
    changed: publish,
  })
  const lookup = createRecipientLookup({
    ...shared,
    found(recipient) {
      publish({ recipient })
      checks.update()
    },
  })
  const lookUp = (now?: boolean): void =>
    lookup.start(inputs.get().recipient, { subject: lookupSubject(subject(), adapters), ...(now && { now }) })
  const inputs = createStoredInputs({
    draft,
    state: state.get,
    changed() {
      review.end()
      checks.update()
    },
    lookUp,
  })
  const review = createSendReview({ clock, state: state.get, subject, publish, repeatFeeEstimate: fee.repeat })
  const outcome = createTransferOutcome({
    ...dependencies,
    inputs: inputs.get,
    outcome: () => state.get().transfer,
    transactions: transactions.get,
    account: () => subject()?.account,
    dropped: inputs.restore,
    publish,
  })

  function followSubject(): void {
    if (!dependencies.isShown()) wasOpened = false
    const now = subject()
    const next = subjectKeyOf(now)
    if (next === subjectKey) return
    const isFirst = subjectKey === ''
    subjectKey = next
    // A reviewed transfer cannot be sent from another account or network. The inputs are kept.
    if (!isFirst && state.get().transfer.status !== 'requested') review.end()
    publish({ warningsConfirmed: false, recent: recent.of(now?.account) })
    if (now) void portfolio.refresh()
    lookUp(true)
  }

  const submit = createSubmit({
    ...dependencies,
    inputs,
    review,
    outcome,
    state() {
      publish()
      return state.get()
    },
    subject,
  })

  const unsubscribe = [
    portfolio.state.subscribe(() => {
      publish()
      checks.update()
    }),
    transactions.subscribe(outcome.update),
    dependencies.onChange(followSubject),
  ]
  followSubject()
  outcome.update()

  return {
    state,
    open(values) {
      // When the user returns to the form after selecting a token, do not report it as opened again.
      if (!wasOpened) track({ event: 'OPEN_SEND', properties: openProperties(subject()) })
      wasOpened = true
      const { transfer } = state.get()
      // Clear the outcome unless it is one that the account's activity does not show.
      if (transfer.status !== 'requested' && transfer.status !== 'unknown') outcome.set({ status: 'idle' })
      followSubject()
      void portfolio.refresh()
      if (!values || values === opened) return
      opened = values
      inputs.fill(values)
    },
    ...inputs.setters,
    acceptChecksum() {
      const { recipient } = state.get()
      if (recipient.status !== 'wrong-checksum') return
      publish({ recipient: { ...recipient, status: 'ready', hasWrongChecksum: true } })
      checks.update()
    },
    retry() {
      const { recipient, tokens } = state.get()
      if (recipient.status === 'failed') lookUp(true)
      else checks.retry()
      if (tokens.status === 'failed') void portfolio.refresh({ force: [] })
      fee.repeat()
    },
    startReview: review.start,
    endReview: review.end,
    confirmWarnings: (warningsConfirmed) => publish({ warningsConfirmed }),
    submit,
    dismiss() {
      if (state.get().transfer.status !== 'requested') outcome.set({ status: 'idle' })
    },
    clearRecent() {
      const account = subject()?.account
      if (!account) return
      recent.clear(account)
      publish({ recent: [] })
    },
    stop() {
      for (const stop of unsubscribe) stop()
      review.stop()
      lookup.stop()
      fee.stop()
      checks.stop()
    },
  }
}

/** Returns a key that differs if the transfer would be sent from another account, network or session. */
function subjectKeyOf(subject: PortfolioSubject | undefined): string {
  if (!subject) return ''
  const { account, network, session } = subject
  return [account, network.caipNetworkId, session?.details?.type, Boolean(session)].join(' ')
}
