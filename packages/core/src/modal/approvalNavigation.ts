import type { ConnectorContext } from '../adapter.ts'
import type { State } from '../latchkeyTypes.ts'
import type { ReadableStore } from '../lib/store.ts'
import type { Modal } from './modal.ts'

/** Returns a function that opens ApproveTransaction while the embedded wallet is waiting for an approval. */
export function createApprovalNavigation({
  modal,
  state,
}: {
  readonly modal: Pick<Modal, 'push' | 'afterApproval'>
  readonly state: ReadableStore<State>
}): ConnectorContext['showApproval'] {
  return (requestId, cancel) => {
    const isShown = () =>
      state.get().modal.stack.some(({ view, data }) => view === 'ApproveTransaction' && data.requestId === requestId)
    // Do not open a closed modal, because the frame itself is displayed in front of the page.
    if (!state.get().modal.open) return () => {}
    modal.push('ApproveTransaction', { requestId })
    if (!isShown()) return () => {}
    const unsubscribe = state.subscribe(() => {
      if (state.get().modal.open && isShown()) return
      unsubscribe()
      cancel()
    })
    return () => {
      unsubscribe()
      if (state.get().modal.open && isShown()) modal.afterApproval()
    }
  }
}
