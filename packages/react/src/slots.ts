import { type Context, createContext, type ReactNode, useContext } from 'react'

/** A custom row. */
export interface SlotRow {
  /** The React key, unique within its list of rows. */
  readonly key: string
  /** A 40 px image: a URL or an element. */
  readonly icon?: ReactNode
  /** The text of the row. The host translates it. */
  readonly label: string
  /** A secondary text of the row. [none] */
  readonly detail?: string
  /** Makes the row a link that opens in a new tab. */
  readonly href?: string
  /** Called on click. A row without `onClick` and `href` is not interactive. */
  readonly onClick?: () => void
}

/** A group of custom rows under a heading. */
export interface SlotGroup {
  /** The React key, unique within its list of groups. */
  readonly key: string
  /** The text of the heading. The host translates it. */
  readonly label: string
  /** The rows of the group, in order. */
  readonly rows: readonly SlotRow[]
}

/** Custom content for the modal's views. It is rendered in the modal's shadow root, without the host's styles. */
export interface Slots {
  /** Renders the avatar of an account instead of the gradient. */
  readonly avatar?: (account: {
    readonly address: string
    readonly image: string | undefined
    readonly size: number
  }) => ReactNode
  /** Rendered below the connection methods. */
  readonly disclaimer?: ReactNode
  /** Rendered after the wallets of the connect view. */
  readonly connectRows?: readonly SlotRow[]
  /** Groups of rows in the connect view. */
  readonly connectGroups?: readonly SlotGroup[]
  /** Rendered after the actions of the account view. */
  readonly accountRows?: readonly SlotRow[]
  /** Groups of rows in the account view. */
  readonly accountGroups?: readonly SlotGroup[]
}

/** The context of the host's slots. */
export const SlotsContext: Context<Slots> = createContext<Slots>({})

/** Returns the host's slots. */
export function useSlots(): Slots {
  return useContext(SlotsContext)
}
