import { toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { linkedController } from '../lib/abortable.ts'
import { isCurrent, type OnrampContext } from './onrampContext.ts'
import { type DraftPurchase, draftPurchaseOf, pendingStatuses } from './onrampDraft.ts'
import { amountOf } from './onrampOffers.ts'
import { followPurchase, readPurchases } from './onrampPurchases.ts'
import { requestPaymentUrl } from './onrampRequests.ts'
import type { Onramp, OnrampOffer, OnrampPurchase, OnrampState } from './onrampTypes.ts'
import { createPaymentWindow } from './paymentWindow.ts'

/** The maximum age of a stored purchase that is tracked again after a reload, in milliseconds. */
const resumableMs = 3_600_000

/** The purchase that the user completes in the provider's window. */
export interface OnrampCheckout extends Pick<Onramp, 'buy' | 'resume' | 'dismiss'> {
  /** Resumes tracking a stored purchase after a reload, unless it is too old. */
  restore(stored: DraftPurchase | undefined): void
  /** Returns the data to store about the purchase, if it is in progress. */
  draft(): DraftPurchase | undefined
}

/** Creates the checkout. */
export function createOnrampCheckout(context: OnrampContext, form: Pick<Onramp, 'retry'>): OnrampCheckout {
  const { api, clock, state, patch, save, stopped, isSmartAccount } = context
  const payment = createPaymentWindow(context.open)
  let following = new AbortController()
  let known: readonly string[] | undefined

  const patchPurchase = (change: Partial<OnrampPurchase>): void => {
    const { purchase } = state.get()
    if (purchase) patch({ purchase: { ...purchase, ...change } })
  }

  async function start(offer: OnrampOffer, choice: OnrampState, signal: AbortSignal): Promise<void> {
    const { purchase } = state.get()
    if (!purchase) return
    try {
      const [url, earlier] = await Promise.all([
        requestPaymentUrl({ api, signal }, offer, choice),
        readPurchases({ api, signal }, purchase).then(
          (items) => items.map(({ id }) => id),
          () => undefined,
        ),
      ])
      if (signal.aborted) return
      known = earlier
      if (payment.show(url)) patchPurchase({ status: 'waiting' })
      else patchPurchase({ status: 'blocked', url })
      save()
      await follow(signal)
    } catch (error) {
      if (signal.aborted) return
      payment.close()
      patchPurchase({ status: 'failed', error: toLatchkeyError(error) })
      save()
    }
  }

  async function follow(signal: AbortSignal): Promise<void> {
    const { purchase } = state.get()
    if (!purchase) return
    await followPurchase({
      purchase,
      known,
      api,
      clock,
      signal,
      report({ status, ...change }) {
        // The user might have opened the link for a blocked window between two reports, so do not reset the status.
        const isSame = status === 'blocked' || status === 'waiting'
        patchPurchase(isSame ? change : { status, ...change })
        save()
        if (status === 'arrived') context.arrived()
      },
    })
  }

  function restart(): void {
    following.abort()
    following = linkedController(stopped)
    void follow(following.signal)
  }

  return {
    restore(stored) {
      if (!stored || clock.now() - stored.startedAt >= resumableMs) return
      const { known: earlier, ...purchase } = stored
      known = earlier
      patch({ purchase: { ...purchase, status: 'waiting' } })
      restart()
    },
    draft: () => draftPurchaseOf(state.get().purchase, known),
    buy(provider) {
      const choice = state.get()
      const offer = choice.offers.find((item) => item.provider === provider)
      const { account, chain, token, currency, amount } = choice
      // The account or network could have changed since the view was rendered.
      if (!isCurrent(context)) {
        void form.retry()
        return
      }
      if (!offer || offer.problem || !account || !chain || !token || !currency || !amountOf(amount)) return
      following.abort()
      following = linkedController(stopped)
      payment.open()
      known = undefined
      context.track({ event: 'SELECT_BUY_PROVIDER', properties: { provider, isSmartAccount: isSmartAccount() } })
      const startedAt = clock.now()
      patch({
        purchase: { provider, account, chain, symbol: token.symbol, amount, currency, startedAt, status: 'opening' },
      })
      void start(offer, choice, following.signal)
    },
    resume() {
      const { purchase } = state.get()
      if (!purchase || !pendingStatuses.includes(purchase.status)) return
      const follows = (): void => {
        // The link for a blocked window can only be used once.
        patchPurchase({ status: purchase.transaction ? 'paid' : 'waiting', url: undefined })
        restart()
      }
      // Browsers do not follow a link that is removed during its click event.
      if (purchase.status === 'blocked') clock.after(0, follows)
      else follows()
    },
    dismiss() {
      following.abort()
      payment.close()
      patch({ purchase: undefined })
      save()
    },
  }
}
