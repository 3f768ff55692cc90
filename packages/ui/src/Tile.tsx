import type { ReactNode } from 'react'
import { useStyleSheet } from './stylesheetRegistry.ts'
import css from './Tile.css?inline'

/** What a tile needs. Its children are its label. */
export interface TileProps {
  /** A `WalletLogo` of 56 px. */
  readonly icon: ReactNode
  readonly children: ReactNode
  /** A word under the label. */
  readonly detail?: string | undefined
  /** Reached by keyboard all the same, so that the list can be read and scrolled; pressing does nothing. */
  readonly disabled?: boolean | undefined
  readonly onClick: () => void
}

/** One wallet of the grid: its logo over its name, 104 px tall. */
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
