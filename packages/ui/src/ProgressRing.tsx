import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import css from './ProgressRing.css?inline'
import { useStyleSheet } from './stylesheetRegistry.ts'

/** Props for `ProgressRing`. */
export interface ProgressRingProps {
  readonly state: 'waiting' | 'failed' | 'unknown' | 'done'
  /** The logo in the ring, 64 px in size. */
  readonly children: ReactNode
}

/** Renders a progress ring around a logo. For screen readers, show the same status as text next to the ring. */
export function ProgressRing({ state, children }: ProgressRingProps): ReactNode {
  useStyleSheet(css)
  return (
    <span className="ring" data-state={state} aria-hidden="true">
      <svg viewBox="0 0 88 88" width="88" height="88" aria-hidden="true">
        <rect x="3" y="3" width="82" height="82" rx="25" pathLength="100" />
        <rect className="ring-run" x="3" y="3" width="82" height="82" rx="25" pathLength="100" />
      </svg>
      {children}
      {state !== 'waiting' && (
        <span className="ring-badge">
          <Icon name={state === 'failed' ? 'close' : state === 'done' ? 'check' : 'help'} size={16} />
        </span>
      )}
    </span>
  )
}
