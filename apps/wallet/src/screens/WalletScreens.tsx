import { Toast } from '@latchkey/ui'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import type { Source } from '../keys.ts'
import { askOver } from '../networks.ts'
import { ConnectionPage } from './ConnectionPage.tsx'
import { Home } from './Home.tsx'
import { KeysPage } from './KeysPage.tsx'
import { PairPage } from './PairPage.tsx'
import { RequestPage } from './RequestPage.tsx'
import type { ScreenContext, View } from './screenContext.ts'

/** How long a toast is shown, in milliseconds. */
const toastMs = 6_000

/** The screens of an unlocked wallet. Pending requests take precedence over other screens. */
export function WalletScreens({
  wallet,
  world,
  source,
  window,
  onSource,
}: Omit<ScreenContext, 'go'> & {
  readonly source: Source
  readonly onSource: (source: Source) => Promise<void>
}): ReactNode {
  const state = useSyncExternalStore(wallet.subscribe, wallet.get)
  const [view, go] = useState<View>({ name: 'home' })
  const [ask] = useState(() => askOver(window.fetch.bind(window)))
  const { toast, pendingRequests, pairing, connections } = state
  const [question] = pendingRequests

  useEffect(() => {
    if (!toast) return
    const timer = setTimeout(() => wallet.dismiss('toast'), toastMs)
    return () => clearTimeout(timer)
  }, [toast, wallet])
  // Show the progress of a pairing that was started from a link.
  useEffect(() => {
    if (pairing.at !== 'none') go({ name: 'connect' })
  }, [pairing.at])
  // Show the home screen once the user has answered a request.
  const answered = question?.key
  useEffect(() => {
    if (answered) go({ name: 'home' })
  }, [answered])

  const inside: ScreenContext = { wallet, world, window, go }
  const connection = view.name === 'connection' && connections.find(({ session }) => session.topic === view.topic)
  const page = question ? (
    <RequestPage key={question.key} {...inside} state={state} question={question} ask={ask} />
  ) : view.name === 'connect' ? (
    <PairPage {...inside} state={state} />
  ) : view.name === 'keys' ? (
    <KeysPage {...inside} state={state} source={source} onSource={onSource} />
  ) : connection ? (
    <ConnectionPage {...inside} state={state} connection={connection} />
  ) : (
    <Home {...inside} state={state} ask={ask} />
  )
  return (
    <>
      {page}
      <Toast toast={toast && { id: toast.id, kind: toast.kind, text: toast.text }} />
    </>
  )
}
