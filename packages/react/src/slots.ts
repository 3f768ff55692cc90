import { type Context, createContext, type ReactNode, useContext } from 'react'

/** A custom row in the modal. */
export interface SlotRow {
  /** The React key, which must be unique within the list of rows. */
  readonly key: string
  /** A 40 px image: either a URL or a React element. */
  readonly icon?: ReactNode
  /** The row's text, translated by the host. */
  readonly label: string
  /** Secondary text below the label. */
  readonly detail?: string
  /** The URL to open in a new tab. Makes the row a link. */
  readonly href?: string
  /** Called when the row is clicked. A row that has neither `onClick` nor `href` is not interactive. */
  readonly onClick?: () => void
}

/** A group of custom rows with a heading. */
export interface SlotGroup {
  /** The React key, which must be unique within the list of groups. */
  readonly key: string
  /** The heading's text, translated by the host. */
  readonly label: string
  /** The group's rows, in display order. */
  readonly rows: readonly SlotRow[]
}

/** Custom content for the modal's views. It is rendered in the modal's shadow root, where the host's styles do not apply. */
export interface Slots {
  /** Renders an account's avatar, instead of the default avatar. */
  readonly avatar?: (account: {
    readonly address: string
    readonly image: string | undefined
    readonly size: number
  }) => ReactNode
  /** A disclaimer to render below the connection methods. */
  readonly disclaimer?: ReactNode
  /** Rows to render after the wallets in the connect view. */
  readonly connectRows?: readonly SlotRow[]
  /** Groups of rows to render in the connect view. */
  readonly connectGroups?: readonly SlotGroup[]
  /** Rows to render after the actions in the account view. */
  readonly accountRows?: readonly SlotRow[]
  /** Groups of rows to render in the account view. */
  readonly accountGroups?: readonly SlotGroup[]
}

/** The context that provides the host's slots. */
export const SlotsContext: Context<Slots> = createContext<Slots>({})

/** Returns the host's slots. */
export function useSlots(): Slots {
  return useContext(SlotsContext)
}
