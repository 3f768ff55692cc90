import { pollMs } from '@latchkey/protocol/specificationConstants'
import { createStore } from '../lib/store.ts'
import { problemOf } from './swapAmounts.ts'
import { isInProgress, nativeOf, type SwapContext, type SwapDependencies } from './swapContext.ts'
import { createSwapExecution } from './swapExecution.ts'
import { createSwapForm } from './swapForm.ts'
import type { Swap, SwapState } from './swapTypes.ts'

/** Creates the swaps of the active account. Nothing is requested until the first call. */
export function createSwap(dependencies: SwapDependencies): Swap {
  const { clock, page, portfolio, draft, server, track } = dependencies
  const stored = draft.get()
  const state = createStore<SwapState>({
    account: undefined,
    chain: undefined,
    supported: undefined,
    tokens: { status: 'idle' },
    from: undefined,
    to: undefined,
    amount: stored?.amount ?? '',
    quote: { status: 'idle' },
    problem: undefined,
    review: undefined,
    unconfirmed: stored?.unconfirmed ?? false,
  })
  const context: SwapContext = {
    ...dependencies,
    state,
    patch(change) {
      const next = { ...state.get(), ...change }
      const problem = problemOf(next, nativeOf(next))
      // A paymaster can pay the fees of a smart account.
      const isFeeOnly = problem === 'insufficient-gas' && dependencies.now()?.session?.details?.type === 'smartAccount'
      state.set({ ...next, problem: isFeeOnly ? undefined : problem })
    },
  }
  const form = createSwapForm(context)
  const execution = createSwapExecution(context, form)
  let watchers = 0
  let stopWatching: (() => void) | undefined
  let refreshedAt = 0

  const subjectKey = (): string => {
    const subject = dependencies.now()
    return `${subject?.account} ${subject?.network.caipNetworkId}`
  }
  let subject = subjectKey()
  const stopFollowing = [
    dependencies.onChange(() => {
      const now = subjectKey()
      if (now === subject) return
      subject = now
      execution.moved()
      // Request nothing until the form has been opened.
      if (state.get().tokens.status !== 'idle' || state.get().supported !== undefined) void form.load()
    }),
    portfolio.state.subscribe(form.merge),
  ]

  function refresh(): void {
    refreshedAt = clock.now()
    if (state.get().review) void execution.refresh()
    else void form.requote({ quiet: true })
  }

  function startWatching(): () => void {
    refreshedAt = clock.now()
    const tick = (): void => {
      cancel = clock.after(pollMs, tick)
      if (!page.isHidden() && state.get().tokens.status === 'ready') refresh()
    }
    let cancel = clock.after(pollMs, tick)
    const stopListening = page.onVisible(() => {
      if (clock.now() - refreshedAt < pollMs || state.get().tokens.status !== 'ready') return
      cancel()
      cancel = clock.after(pollMs, tick)
      refresh()
    })
    return () => {
      cancel()
      stopListening()
    }
  }

  return {
    state,
    supported: async () => {
      const chain = dependencies.now()?.network.caipNetworkId
      return chain !== undefined && server.supports(chain).catch(() => false)
    },
    open(presets) {
      const network = dependencies.now()?.network.caipNetworkId
      // Views call this method again when the user returns to them, so only report the first call.
      if (network !== undefined && state.get().tokens.status === 'idle')
        track({ event: 'OPEN_SWAP', properties: { isSmartAccount: dependencies.isSmartAccount(), network } })
      // Going back ends the review.
      if (!isInProgress(state.get())) execution.cancelReview()
      return form.open(presets)
    },
    watch() {
      watchers++
      stopWatching ??= startWatching()
      let watching = true
      return () => {
        if (!watching) return
        watching = false
        watchers--
        if (watchers > 0) return
        stopWatching?.()
        stopWatching = undefined
      }
    },
    setAmount: form.setAmount,
    setMax: form.setMax,
    setToken: form.setToken,
    flip: form.flip,
    retry() {
      if (state.get().review) execution.retry()
      else form.reload()
    },
    review: execution.review,
    accept: execution.accept,
    confirm: execution.confirm,
    revoke: execution.revoke,
    confirmUnverified: execution.confirmUnverified,
    cancelReview: execution.cancelReview,
    dismissUnconfirmed: execution.dismissUnconfirmed,
    stop() {
      for (const stop of stopFollowing) stop()
      stopWatching?.()
      form.stop()
      execution.stop()
      server.stop()
    },
  }
}
