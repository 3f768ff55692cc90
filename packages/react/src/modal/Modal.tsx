import type { Route, Stack } from '@latchkey/core'
import { Icon, IconButton, type ScreenFrame, ScreenFrameContext, Toast, WalletLogo } from '@latchkey/ui'
import { type ReactNode, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { canSwitchNetwork } from '../hooks/canSwitchNetwork.ts'
import { useAccount } from '../hooks/useAccount.ts'
import { useLatchkey } from '../hooks/useLatchkey.ts'
import { useNetwork } from '../hooks/useNetwork.ts'
import { useStore } from '../hooks/useStore.ts'
import { useTranslations } from '../i18n/useTranslations.ts'
import { createLoginMethodLoader, LoginMethodLoaderContext } from '../views/connect/LazyLoginMethod.tsx'
import { createDirectoryLoader, DirectoryLoaderContext } from '../views/directoryLoader.ts'
import { ConsentProvider, type LegalTexts } from '../views/LegalConsent.tsx'
import { whenIdle } from '../whenIdle.ts'
import { DialogRoot } from './DialogRoot.tsx'
import { ViewRenderer } from './ViewRenderer.tsx'
import type { ViewLoaders } from './viewLoaders.ts'

export { createViewLoaders } from './viewLoaders.ts'

/** Props for `Modal`. */
export interface ModalProps {
  readonly views: ViewLoaders
  /** The components that show the host's legal links, or `undefined` if the host has none. */
  readonly legal: LegalTexts | undefined
  /** Whether to render a panel in the page's layout instead of a dialog. */
  readonly inline?: boolean
}

/** Renders the modal with the header buttons, the current view, toasts and, in debug mode, alerts for developers. */
export function Modal({ views, legal, inline = false }: ModalProps): ReactNode {
  const latchkey = useLatchkey()
  const text = useTranslations()
  const open = useStore((state) => state.modal.open)
  const stack = useStore((state) => state.modal.stack)
  const shaking = useStore((state) => state.modal.shaking)
  const theme = useStore((state) => state.theme)
  const headingId = useId()
  // Once a wallet is connected, the next view is most likely Account, so it is loaded in advance.
  const connected = useAccount().status === 'connected'
  useEffect(() => {
    if (connected)
      void views
        .of('Account')
        .load()
        .catch(() => undefined)
  }, [connected, views])
  useEffect(() => {
    if (open) views.prefetch()
  }, [open, views])
  // Users who do not find their wallet in Connect open the list of all wallets, so its code is loaded while they look at Connect.
  const listsWallets = open && !connected && latchkey.options.server !== undefined
  useEffect(
    () =>
      listsWallets
        ? whenIdle(
            () =>
              void views
                .of('AllWallets')
                .load()
                .catch(() => undefined),
          )
        : undefined,
    [listsWallets, views],
  )
  const [login] = useState(createLoginMethodLoader)
  const ready = useStore((state) => state.ready)
  // A restarted instance has a new directory.
  const directory = useMemo(() => createDirectoryLoader(latchkey, ready), [latchkey, ready])
  const logsIn = ready && latchkey.connectMethods().some((method) => method !== 'wallet')
  useEffect(() => {
    // The login methods load in parallel with the first view, to avoid a second wait. If loading fails, Connect shows the error.
    if (logsIn) void login.load().catch(() => undefined)
  }, [logsIn, login])
  // Closing the modal resets the state immediately, so the last view is kept until the card has faded out.
  const [last, setLast] = useState(stack)
  if (open && last !== stack) setLast(stack)
  const displayed = open || inline ? stack : last

  const frame = useMemo<ScreenFrame>(
    () => ({
      headingId,
      level: 2,
      arrived(heading) {
        const root = heading.getRootNode()
        const active = root instanceof ShadowRoot ? root.activeElement : null
        // Focus does not move if the view has already set it, and an inline panel never takes focus from the page.
        const own = active?.closest('.view')
        if (own === null || own === undefined) if (!inline || active) heading.focus({ preventScroll: true })
      },
      ...(!inline && { lostFocus: (heading: HTMLElement) => heading.focus({ preventScroll: true }) }),
    }),
    [headingId, inline],
  )

  return (
    <DirectoryLoaderContext.Provider value={directory}>
      <DialogRoot
        open={open}
        inline={inline}
        headingId={headingId}
        shaking={shaking}
        theme={theme}
        direction={text.direction}
        locale={text.locale}
        dismiss={() => latchkey.modal.close()}
        goBack={() => latchkey.modal.back()}
      >
        <ScreenFrameContext.Provider value={frame}>
          <Head stack={displayed} inline={inline} />
          <ConsentProvider legal={legal}>
            <LoginMethodLoaderContext.Provider value={login}>
              <Stage stack={displayed} views={views} />
            </LoginMethodLoaderContext.Provider>
          </ConsentProvider>
          <Alert />
          <ToastOver />
        </ScreenFrameContext.Provider>
      </DialogRoot>
    </DirectoryLoaderContext.Provider>
  )
}

/** Core's own toasts, which are English, with the keys of their translations. */
const ownToasts: Readonly<Record<string, 'toast.transactions' | 'toast.notAllowed'>> = {
  'Failed to fetch transactions': 'toast.transactions',
  'Action not allowed': 'toast.notAllowed',
}

function ToastOver(): ReactNode {
  const text = useTranslations()
  const toast = useStore((state) => state.toast)
  const key = toast && ownToasts[toast.text]
  return <Toast toast={key ? { ...toast, text: text(key) } : toast} />
}

function Head({ stack, inline }: { readonly stack: Stack; readonly inline: boolean }): ReactNode {
  const latchkey = useLatchkey()
  const text = useTranslations()
  const { view } = topOf(stack)
  const root = inline && stack.length === 1 && (view === 'Account' || view === 'Connect')
  return (
    <div className="head">
      <Left stack={stack} />
      {root ? (
        <span />
      ) : (
        <IconButton icon="close" label={text('modal.close')} onClick={() => latchkey.modal.close(leave(view))} />
      )}
    </div>
  )
}

// The close button of an approval rejects the request, so closing cannot be prevented.
function leave(view: Route['view']): { force: boolean } {
  return { force: view === 'ApproveTransaction' }
}

function Left({ stack }: { readonly stack: Stack }): ReactNode {
  const latchkey = useLatchkey()
  const text = useTranslations()
  const { view } = topOf(stack)
  if (view === 'Account' && stack.length === 1) return <NetworkDrop />
  if (stack.length > 1 && view !== 'ApproveTransaction' && view !== 'ConnectingSiwe')
    return <IconButton icon="back" label={text('modal.back')} onClick={() => latchkey.modal.back()} />
  if (view === 'Connect')
    return (
      <IconButton
        icon="help"
        label={text('modal.help')}
        onClick={() => {
          latchkey.track({ event: 'CLICK_WALLET_HELP' })
          latchkey.modal.push('WhatIsAWallet')
        }}
      />
    )
  return <span />
}

function NetworkDrop(): ReactNode {
  const latchkey = useLatchkey()
  const text = useTranslations()
  const now = useNetwork()
  const { network, supported } = now
  const { address } = useAccount()
  if (address === undefined || !canSwitchNetwork(latchkey, now)) return <span />
  const label = supported ? (network?.name ?? text('button.selectNetwork')) : text('button.unsupportedNetwork')
  return (
    <button
      type="button"
      className="head-network"
      data-unsupported={!supported || undefined}
      aria-label={supported && network ? text('button.network', { name: network.name }) : label}
      onClick={() => {
        latchkey.track({ event: 'CLICK_NETWORKS' })
        latchkey.modal.push('Networks')
      }}
    >
      {network && supported && (
        <WalletLogo name={network.name} src={network.assets?.imageUrl} size={24} shape="round" />
      )}
      <span dir="auto">{label}</span>
      <Icon name="down" size={16} />
    </button>
  )
}

/** Renders the current view with a directional transition, and animates the card's height to fit it. */
function Stage({ stack, views }: { readonly stack: Stack; readonly views: ViewLoaders }): ReactNode {
  const scroll = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const now = topOf(stack)
  const [seen, setSeen] = useState<{ stack: Stack; way: 'none' | 'forward' | 'back'; turn: number }>({
    stack,
    way: 'none',
    turn: 0,
  })
  const moved = seen.stack !== stack && topOf(seen.stack) !== now
  if (moved) setSeen({ stack, way: stack.length < seen.stack.length ? 'back' : 'forward', turn: seen.turn + 1 })

  useLayoutEffect(() => {
    const outer = scroll.current
    const inner = content.current
    if (!outer || !inner) return
    let ready = 0
    // The observer is called after the browser has calculated the layout, so reading the height does not force another layout.
    const watch = new ResizeObserver(() => {
      const height = inner.offsetHeight
      if (height === 0 || outer.style.blockSize === `${height}px`) return
      outer.toggleAttribute('data-moves', outer.hasAttribute('data-ready'))
      outer.style.blockSize = `${height}px`
      // The initial height is set without a transition.
      ready ||= requestAnimationFrame(() => outer.setAttribute('data-ready', ''))
    })
    const still = (): void => outer.removeAttribute('data-moves')
    watch.observe(inner)
    outer.addEventListener('transitionend', still)
    outer.addEventListener('transitioncancel', still)
    return () => {
      cancelAnimationFrame(ready)
      watch.disconnect()
      outer.removeEventListener('transitionend', still)
      outer.removeEventListener('transitioncancel', still)
    }
  }, [])

  return (
    <div className="scroll" ref={scroll}>
      <div className="view" ref={content}>
        <div key={seen.turn} className="view-in" data-way={seen.way}>
          <ViewRenderer route={now} views={views} />
        </div>
      </div>
    </div>
  )
}

function Alert(): ReactNode {
  const latchkey = useLatchkey()
  const text = useTranslations()
  const alert = useStore((state) => state.alert)
  if (!alert || latchkey.options.debug !== true) return null
  return (
    <div className="developer" role="alert">
      <Icon name="warning" />
      <p>{alert.text}</p>
      <IconButton icon="close" label={text('modal.close')} onClick={() => latchkey.hideAlert()} />
    </div>
  )
}

function topOf(stack: Stack): Route {
  return stack[stack.length - 1] as Route
}
