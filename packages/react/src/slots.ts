import { type Context, createContext, type ReactNode, useContext } from 'react'

/** A row of the host's own. */
export interface SlotRow {
  readonly key: string
  /** A picture of 40 px: a URL, or an element. */
  readonly icon?: ReactNode
  readonly label: string
  readonly detail?: string
  /** Makes it a link that opens beside the page. */
  readonly href?: string
  readonly onClick?: () => void
}

/** A list of the host's own, under its heading. */
export interface SlotGroup {
  readonly key: string
  readonly label: string
  readonly rows: readonly SlotRow[]
}

/** Where a host may put something of its own. What it draws stands in the modal's shadow root, without the host's styles. */
export interface Slots {
  /** Draws accounts in place of the gradient. */
  readonly avatar?: (account: {
    readonly address: string
    readonly image: string | undefined
    readonly size: number
  }) => ReactNode
  /** Below the ways of connecting. */
  readonly disclaimer?: ReactNode
  /** After the wallets of the connect view. */
  readonly connectRows?: readonly SlotRow[]
  readonly connectGroups?: readonly SlotGroup[]
  /** After the actions of the account view. */
  readonly accountRows?: readonly SlotRow[]
  readonly accountGroups?: readonly SlotGroup[]
}

/** The slots that the host filled. */
export const SlotsContext: Context<Slots> = createContext<Slots>({})

/** What the host put into our views. */
export function useSlots(): Slots {
  return useContext(SlotsContext)
}
