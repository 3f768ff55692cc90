import type { ReactNode } from 'react'

/** Props for `Spinner`. */
export interface SpinnerProps {
  /** The accessible name. Omit it if adjacent text describes the progress. */
  readonly label?: string | undefined
  /** The size in px. Default: 20. */
  readonly size?: 16 | 20 | 24 | 32 | undefined
}

/** Renders a rotating arc that indicates progress. With reduced motion, the arc pulses instead. */
export function Spinner({ label, size = 20 }: SpinnerProps): ReactNode {
  return (
    <span
      className="spinner"
      role={label ? 'status' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
    >
      <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
        <circle cx="12" cy="12" r="9" />
        <path d="M21 12a9 9 0 0 0-9-9" />
      </svg>
    </span>
  )
}
