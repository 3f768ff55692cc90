import { createStore } from '../lib/store.ts'
import { draftEntry } from '../storage/draftStorage.ts'
import { createOnrampCheckout } from './onrampCheckout.ts'
import type { OnrampContext, OnrampDependencies } from './onrampContext.ts'
import { onrampDraftSchema } from './onrampDraft.ts'
import { createOnrampForm, initialState } from './onrampForm.ts'
import { createOnrampSupport } from './onrampSupport.ts'
import type { Onramp } from './onrampTypes.ts'

/** Creates the onramp. Nothing is requested until the first call, except for a purchase that is still in progress. */
export function createOnramp({ drafts, ...dependencies }: OnrampDependencies): Onramp {
  const draft = draftEntry(drafts, 'onramp', onrampDraftSchema)
  const page = new AbortController()
  const { purchase, amount, currency, symbol } = draft.get() ?? { amount: '' }
  const state = createStore({ ...initialState, amount })
  const context: OnrampContext = {
    ...dependencies,
    state,
    stopped: page.signal,
    patch: (change) => state.set({ ...state.get(), ...change }),
    save() {
      const stored = checkout.draft()
      draft.set({ amount: state.get().amount, ...form.choice(), ...(stored && { purchase: stored }) })
    },
  }
  const form = createOnrampForm(context, { currency, symbol })
  const checkout = createOnrampCheckout(context, form)
  checkout.restore(purchase)

  return {
    state,
    opened: () =>
      dependencies.track({
        event: 'SELECT_BUY_CRYPTO',
        properties: { isSmartAccount: dependencies.isSmartAccount() },
      }),
    supported: createOnrampSupport(context),
    load: form.load,
    retry: form.retry,
    setAmount: form.setAmount,
    setCurrency: form.setCurrency,
    setToken: form.setToken,
    buy: checkout.buy,
    resume: checkout.resume,
    dismiss: checkout.dismiss,
    stop: () => page.abort(),
  }
}
