import type { ConnectorContext } from '@latchkey/core/adapter'
import type { FrameHandle } from './frameHandle.ts'

/** The dialog that shows the frame while a request needs user input. */
export interface FrameDialog {
  /** Shows the frame. Calls `dismissed` if the user closes it. Returns a function that hides it once no request needs it. */
  show(dismissed: () => void): () => void
  /** Shows the frame for an approval. An open modal is notified, so that force-closing the modal dismisses the approval. */
  showApproval(dismissed: () => void): () => void
}

/** Creates the dialog for the frame that `place` returns. */
export function createFrameDialog({
  place,
  host,
}: {
  place(): Pick<FrameHandle, 'show' | 'hide'>
  readonly host: Pick<ConnectorContext, 'showApproval'>
}): FrameDialog {
  /** Functions that cancel the pending requests for which the frame is shown. */
  const dismissals = new Set<() => void>()
  const dismissAll = (): void => {
    for (const dismiss of [...dismissals]) dismiss()
  }

  const show = (dismissed: () => void): (() => void) => {
    const shown = place()
    const dismiss = () => dismissed()
    dismissals.add(dismiss)
    shown.show(dismissAll)
    return () => {
      if (dismissals.delete(dismiss) && dismissals.size === 0) shown.hide()
    }
  }

  return {
    show,
    showApproval(dismissed) {
      const hide = show(dismissed)
      const over = host.showApproval(crypto.randomUUID(), dismissAll)
      return () => {
        over()
        hide()
      }
    },
  }
}
