import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import { Spinner } from './Spinner.tsx'

/** Props for `Toast`. */
export interface ToastProps {
  /** The toast, or `undefined` to hide it. The live region stays mounted, so that the next toast is announced. */
  readonly toast:
    | { readonly id: number; readonly kind: 'success' | 'error' | 'loading'; readonly text: string }
    | undefined
}

/** Renders a short status message above the card. */
export function Toast({ toast }: ToastProps): ReactNode {
  return (
    <div className="toasts" role="status">
      {toast && (
        <div className="toast" key={toast.id} data-kind={toast.kind}>
          {toast.kind === 'loading' ? <Spinner /> : <Icon name={toast.kind === 'success' ? 'check' : 'warning'} />}
          <span>{toast.text}</span>
        </div>
      )}
    </div>
  )
}
