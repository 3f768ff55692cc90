import type { ReactNode } from 'react'
import { useStyleSheet } from './stylesheetRegistry.ts'
import css from './Tile.css?inline'

/** Props of `Tile`. Its children are its label. */
export interface TileProps {
  /** A 56 px `WalletLogo`. */
  readonly icon: ReactNode
  readonly children: ReactNode
  /** A short text under the label. */
  readonly detail?: string | undefined
  /** Ignores clicks but stays focusable, so that keyboard users can read and scroll the list. */
  readonly disabled?: boolean | undefined
  readonly onClick: () => void
}

/** A wallet in the grid: its logo above its name, 104 px tall. */
export function Tile({ icon, children, detail, disabled, onClick }: TileProps): ReactNode {
  useStyleSheet(css)
  return (
    <button
      type="button"
      className="tile"
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onClick}
    >
      {icon}
      <span className="tile-label" dir="auto">
        {children}
      </span>
      {detail !== undefined && <span className="hidden">{detail}</span>}
    </button>
  )
}
