import type { ReactNode } from 'react'
import { useStyleSheet } from './stylesheetRegistry.ts'
import css from './Tile.css?inline'

/** Props for `Tile`. The children are the label. */
export interface TileProps {
  /** A 56 px `WalletLogo`. */
  readonly icon: ReactNode
  readonly children: ReactNode
  /** Short text after the label, for screen readers only. */
  readonly detail?: string | undefined
  /** Whether the tile ignores clicks. It stays focusable, so that keyboard users can read and scroll the list. */
  readonly disabled?: boolean | undefined
  readonly onClick: () => void
}

/** Renders a wallet in the grid, with its logo above its name. The tile is 104 px tall. */
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
