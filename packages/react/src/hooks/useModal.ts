import { type Latchkey, route, type ViewName } from '@latchkey/core'
import { useMemo } from 'react'
import { useModalLoader } from '../ModalLoaderContext.ts'
import { selectAccount } from '../selectors.ts'
import { useLatchkey } from './useLatchkey.ts'
import { useStore } from './useStore.ts'

/** The return type of `useModal`. */
export interface UseModalReturnType extends Pick<Latchkey['modal'], 'open' | 'close'> {
  /** Whether the modal is open. Always `true` if the option `embedded` is set. */
  readonly isOpen: boolean
  /** The view that is currently shown, or `undefined` while the modal is closed. */
  readonly view: ViewName | undefined
}

/**
 * Returns functions that open and close the modal. Without a view, `open` shows the account view if a wallet is connected, and
 * the connect view otherwise.
 *
 * @example
 * const { open } = useModal()
 * <button onClick={() => open({ view: route('Networks') })}>Networks</button>
 */
export function useModal(): UseModalReturnType {
  const latchkey = useLatchkey()
  const loader = useModalLoader()
  const isOpen = useStore((state) => state.modal.open)
  const view = useStore((state) => (state.modal.open ? state.modal.stack.at(-1)?.view : undefined))
  return useMemo(
    () => ({
      open: (params) => {
        latchkey.modal.open(params)
        void loader.load(latchkey)
      },
      close: latchkey.modal.close,
      isOpen,
      view,
    }),
    [latchkey, loader, isOpen, view],
  )
}

/** Controls a single view of the modal. */
export interface ModalHandle {
  /** Opens the view. Does nothing while `available` is false. */
  readonly open: () => void
  /** Closes the modal, even if it shows a different view. Does nothing if the current view cannot be closed. */
  readonly close: () => void
  /** Whether the modal shows this view, a related view such as AllWallets, or a view that was opened from one of them. */
  readonly isOpen: boolean
  /** Whether the view can be opened. */
  readonly available: boolean
}

function useModalHandle(
  available: boolean,
  views: ReadonlySet<ViewName>,
  open: (latchkey: Latchkey) => void,
): ModalHandle {
  const latchkey = useLatchkey()
  const loader = useModalLoader()
  const isOpen = useStore((state) => state.modal.open && state.modal.stack.some(({ view }) => views.has(view)))
  return useMemo(
    () => ({
      open: () => {
        if (!available) return
        open(latchkey)
        void loader.load(latchkey)
      },
      close: () => void latchkey.modal.close(),
      isOpen,
      available,
    }),
    [latchkey, loader, isOpen, available, open],
  )
}

const connectViews: ReadonlySet<ViewName> = new Set(['Connect', 'ConnectWallets', 'AllWallets'])
const accountViews: ReadonlySet<ViewName> = new Set(['Account', 'ProfileWallets'])
const networkViews: ReadonlySet<ViewName> = new Set(['Networks', 'SwitchNetwork', 'UnsupportedChain'])

const openConnect = (latchkey: Latchkey): void => latchkey.modal.open({ view: route('Connect') })
const openAccount = (latchkey: Latchkey): void => latchkey.modal.open({ view: route('Account') })
const openNetworks = (latchkey: Latchkey): void => latchkey.modal.open({ view: route('Networks') })

/**
 * Returns a handle for the connect view, which is available while disconnected.
 *
 * @example
 * const { open, available } = useConnectModal()
 * {available && <button onClick={open}>Connect</button>}
 */
export function useConnectModal(): ModalHandle {
  const free = useStore((state) => selectAccount(state).status !== 'connected')
  return useModalHandle(free, connectViews, openConnect)
}

/**
 * Returns a handle for the account view, which is available while connected.
 *
 * @example
 * const { open, available } = useAccountModal()
 * {available && <button onClick={open}>Account</button>}
 */
export function useAccountModal(): ModalHandle {
  const connected = useStore((state) => selectAccount(state).status === 'connected')
  return useModalHandle(connected, accountViews, openAccount)
}

/**
 * Returns a handle for the networks view, which is available if the host lists networks and allows network switching.
 *
 * @example
 * const { open, available } = useChainModal()
 * {available && <button onClick={open}>Switch network</button>}
 */
export function useChainModal(): ModalHandle {
  const { options } = useLatchkey()
  const hasNetworks = useStore((state) => state.networks.known.length > 0)
  return useModalHandle(hasNetworks && options.networkSwitching !== false, networkViews, openNetworks)
}
