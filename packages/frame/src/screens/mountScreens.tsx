import { createStyleAdopter, ScreenFrameContext, StyleSheetContext, uiStyles } from '@latchkey/ui'
import { type ReactNode, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import type { ApprovalQueue, PendingApproval } from '../approvals/approvalQueue.ts'
import type { ApprovalView } from '../approvals/approvalViewModel.ts'
import { type ApprovalWindowHost, createApprovalWindow } from '../approvals/openApprovalWindow.ts'
import { requiresApprovalWindow } from '../approvals/requiresApprovalWindow.ts'
import type { PageSettings } from '../pageSettings.ts'
import { t } from '../texts/translations.ts'
import { BackupScreen } from './BackupScreen.tsx'
import { CallsScreen } from './CallsScreen.tsx'
import { ApprovalWindowContext } from './ContinueInWindowButtons.tsx'
import css from './frame.css?inline'
import { GrantScreen, GrantsScreen, RevokeScreen } from './GrantScreen.tsx'
import { MessageScreen } from './MessageScreen.tsx'
import { SolanaScreen } from './SolanaScreen.tsx'
import { TypedDataScreen } from './TypedDataScreen.tsx'
import { readTheme } from './theme.ts'
import { renderUnlockScreen } from './unlockScreens.tsx'

/** The dependencies of the screens. */
export interface ScreensDependencies {
  readonly approvals: ApprovalQueue<ApprovalView>
  readonly settings: Pick<PageSettings, 'theme' | 'subscribe'>
  /** Returns whether the operator can sign on the user's behalf. If so, every screen shows a notice. */
  readonly operatorCanSign?: (() => boolean) | undefined
  /** Opens the approval windows in a frame. If absent, the user approves requests on the screens themselves. */
  readonly approvalWindows?: ApprovalWindowHost | undefined
  /** The number of requests waiting behind the one on screen. Set if these requests are in a queue other than `approvals`. */
  readonly behind?: number | undefined
}

/** Renders pending requests, one at a time. Returns a function that unmounts the screens. */
export function mountScreens({ document }: Pick<Window, 'document'>, dependencies: ScreensDependencies): () => void {
  const adopt = createStyleAdopter(document)
  adopt(uiStyles)
  adopt(css)
  const place = document.createElement('div')
  document.body.append(place)
  const root = createRoot(place)
  root.render(
    <StyleSheetContext.Provider value={adopt}>
      <Screens {...dependencies} element={document.documentElement} />
    </StyleSheetContext.Provider>,
  )
  return () => {
    root.unmount()
    place.remove()
  }
}

function Screens({
  approvals,
  settings,
  operatorCanSign,
  approvalWindows,
  behind,
  element,
}: ScreensDependencies & { readonly element: HTMLElement }): ReactNode {
  const pending = useSyncExternalStore(approvals.subscribe, approvals.current)
  const theme = useSyncExternalStore(settings.subscribe, settings.theme)
  const frame = useMemo(
    () => ({ headingId: 'title', level: 1 as const, arrived: (heading: HTMLElement) => heading.focus() }),
    [],
  )
  useEffect(() => {
    const { mode, variables } = readTheme(theme)
    if (mode) element.setAttribute('theme', mode)
    else element.removeAttribute('theme')
    for (const [name, value] of Object.entries(variables)) element.style.setProperty(name, value)
    return () => {
      for (const name of Object.keys(variables)) element.style.removeProperty(name)
    }
  }, [theme, element])
  if (!pending) return null
  return (
    <ScreenFrameContext.Provider value={frame}>
      {operatorCanSign?.() && <p className="operator">{t('operatorCanSign')}</p>}
      {/* A new request gets a new screen, without the press or waiting time of the previous one. */}
      {approvalWindows && requiresApprovalWindow(pending.subject) ? (
        <ScreenInWindow
          key={pending.key}
          pending={pending}
          {...{ approvals, settings, operatorCanSign }}
          host={approvalWindows}
        />
      ) : (
        <CurrentScreen
          key={pending.key}
          pending={{ ...pending, behind: behind ?? pending.behind }}
          approvals={approvals}
        />
      )}
    </ScreenFrameContext.Provider>
  )
}

/** Shows a request with a button that opens its approval window. */
function ScreenInWindow({
  pending,
  approvals,
  settings,
  operatorCanSign,
  host,
}: Omit<ScreensDependencies, 'approvalWindows' | 'behind'> & {
  readonly pending: PendingApproval<ApprovalView>
  readonly host: ApprovalWindowHost
}): ReactNode {
  const newest = useRef(pending)
  useEffect(() => {
    newest.current = pending
  })
  const { key, state } = pending
  const approvalWindow = useMemo(
    () =>
      createApprovalWindow({
        window: host,
        shown: () => ({
          subject: newest.current.subject,
          behind: newest.current.behind,
          theme: settings.theme(),
          language: document.documentElement.lang,
          operatorCanSign: operatorCanSign?.() ?? false,
        }),
        approve: (choice) => approvals.approve(key, choice),
        cancel: () => approvals.cancel(key),
      }),
    [key, approvals, settings, operatorCanSign, host],
  )
  useEffect(() => () => approvalWindow.stop(), [approvalWindow])
  useEffect(() => {
    if (state === 'doing') approvalWindow.doing()
  }, [state, approvalWindow])
  const windowState = useSyncExternalStore(approvalWindow.subscribe, approvalWindow.state)
  const elsewhere = useMemo(() => ({ state: windowState, open: approvalWindow.open }), [windowState, approvalWindow])
  return (
    <ApprovalWindowContext.Provider value={elsewhere}>
      <CurrentScreen pending={pending} approvals={approvals} />
    </ApprovalWindowContext.Provider>
  )
}

function CurrentScreen({
  pending,
  approvals,
}: {
  pending: PendingApproval<ApprovalView>
  approvals: ApprovalQueue<ApprovalView>
}): ReactNode {
  const { key, subject, state, behind } = pending
  const [adding, setAdding] = useState(false)
  const [request, setRequest] = useState(false)
  const doing = state === 'doing'
  const onYes = (choice?: unknown): void => approvals.approve(key, choice)
  const onNo = (): void => approvals.cancel(key)
  const opening = renderUnlockScreen(subject, { doing, behind, onYes, onNo })
  if (opening || !('setting' in subject)) return opening
  const { protecting } = subject.setting
  if (adding && protecting)
    return (
      <BackupScreen
        protecting={protecting}
        onDone={() => {
          setAdding(false)
          setRequest(true)
        }}
      />
    )
  const onProtect = protecting && !request ? () => setAdding(true) : undefined
  const facts = { setting: subject.setting, doing, behind, onYes, onNo, onProtect }
  switch (subject.kind) {
    case 'message':
      return <MessageScreen {...facts} reading={subject.reading} />
    case 'typedData':
      return <TypedDataScreen {...facts} reading={subject.reading} />
    case 'solana':
      return <SolanaScreen {...facts} subject={subject} />
    case 'calls':
      return <CallsScreen {...facts} subject={subject} />
    case 'grant':
      return <GrantScreen {...facts} subject={subject} />
    case 'revoke':
      return <RevokeScreen {...facts} subject={subject} />
    case 'grants':
      return <GrantsScreen {...facts} subject={subject} />
  }
}
