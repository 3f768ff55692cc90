import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import { Spinner } from './Spinner.tsx'

/** What a toast needs. */
export interface ToastProps {
  /** `undefined` keeps the live region in the page, so that the next one is spoken. */
  readonly toast:
    | { readonly id: number; readonly kind: 'success' | 'error' | 'loading'; readonly text: string }
    | undefined
}

/** A line over the card that says how it went, and goes by itself. */
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
