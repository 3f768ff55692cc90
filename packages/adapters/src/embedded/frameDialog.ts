import type { ConnectorContext } from '@latchkey/core/adapter'
import type { FrameHost } from './frameHost.ts'

/** The dialog that displays the frame while a request needs the user. */
export interface FrameDialog {
  /** Displays the frame until all callers are done with it. Closing it cancels for all of them. Returns a function that releases it. */
  show(dismissed: () => void): () => void
  /** The same for an approval. An open modal is notified, so that force-closing it dismisses the approval. */
  showApproval(dismissed: () => void): () => void
}

/** Creates the dialog for the frame that `place` returns. */
export function createFrameDialog({
  place,
  host,
}: {
  place(): Pick<FrameHost, 'show' | 'hide'>
  readonly host: Pick<ConnectorContext, 'showApproval'>
}): FrameDialog {
  /** Cancels the pending requests that the frame is displayed for. */
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
