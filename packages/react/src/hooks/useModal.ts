import { type Latchkey, route, type ViewName } from '@latchkey/core'
import { useMemo } from 'react'
import { useModalDoor } from '../door.ts'
import { accountOf } from '../select.ts'
import { useLatchkey } from './useLatchkey.ts'
import { useStore } from './useStore.ts'

/** The modal, as a host drives it. */
export interface ModalControl extends Pick<Latchkey['modal'], 'open' | 'close'> {
  readonly isOpen: boolean
  /** The view on screen while it is open. */
  readonly view: ViewName | undefined
}

/** Opens and closes the modal. Without a view it shows what fits: Account when connected, else Connect. */
export function useModal(): ModalControl {
  const latchkey = useLatchkey()
  const door = useModalDoor()
  const isOpen = useStore((state) => state.modal.open)
  const view = useStore((state) => (state.modal.open ? state.modal.stack.at(-1)?.view : undefined))
  return useMemo(
    () => ({
      open: (asked) => {
        latchkey.modal.open(asked)
        void door.enter(latchkey)
      },
      close: latchkey.modal.close,
      isOpen,
      view,
    }),
    [latchkey, door, isOpen, view],
  )
}

/** One door of the modal. */
export interface Door {
  /** Opens it. Does nothing while `available` is false. */
  readonly open: () => void
  readonly close: () => void
  readonly isOpen: boolean
  /** Whether there is something to see behind it now. */
  readonly available: boolean
}

function useDoor(available: boolean, views: ReadonlySet<ViewName>, open: (latchkey: Latchkey) => void): Door {
  const latchkey = useLatchkey()
  const door = useModalDoor()
  const isOpen = useStore((state) => state.modal.open && state.modal.stack.some(({ view }) => views.has(view)))
  return useMemo(
    () => ({
      open: () => {
        if (!available) return
        open(latchkey)
        void door.enter(latchkey)
      },
      close: () => void latchkey.modal.close(),
      isOpen,
      available,
    }),
    [latchkey, door, isOpen, available, open],
  )
}

const connectViews: ReadonlySet<ViewName> = new Set(['Connect', 'ConnectWallets', 'AllWallets'])
const accountViews: ReadonlySet<ViewName> = new Set(['Account', 'ProfileWallets'])
const networkViews: ReadonlySet<ViewName> = new Set(['Networks', 'SwitchNetwork', 'UnsupportedChain'])

const toConnect = (latchkey: Latchkey): void => latchkey.modal.open({ view: route('Connect') })
const toAccount = (latchkey: Latchkey): void => latchkey.modal.open({ view: route('Account') })
const toNetworks = (latchkey: Latchkey): void => latchkey.modal.open({ view: route('Networks') })

/** The ways of connecting; available while nobody is connected. */
export function useConnectModal(): Door {
  const free = useStore((state) => accountOf(state).status !== 'connected')
  return useDoor(free, connectViews, toConnect)
}

/** The account; available while somebody is connected. */
export function useAccountModal(): Door {
  const connected = useStore((state) => accountOf(state).status === 'connected')
  return useDoor(connected, accountViews, toAccount)
}

/** The networks; available where the host lets the visitor choose. */
export function useChainModal(): Door {
  const { options } = useLatchkey()
  const some = useStore((state) => state.networks.known.length > 0)
  return useDoor(some && options.networkSwitching !== false, networkViews, toNetworks)
}
