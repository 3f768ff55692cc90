import type { Route } from '@latchkey/core'
import { Notice, Screen, Skeleton } from '@latchkey/ui'
import { type ComponentType, type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { useLatchkey } from '../hooks/useLatchkey.ts'
import { useText } from '../i18n/useText.ts'
import type { Loader } from '../loader.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import type { ViewProps } from './viewProps.ts'
import { loaderOf, type ViewLoaders } from './views.ts'

/** The view of `now`: its chunk where it is here, room for it while it comes, and a way on when it does not. */
export function View({ now, views }: { readonly now: Route; readonly views: ViewLoaders }): ReactNode {
  const latchkey = useLatchkey()
  const loader = loaderOf(views, now.view)
  if (!loader) return <Failed again={() => latchkey.modal.close({ force: true })} />
  return (
    <ErrorBoundary
      fallback={(again) => <Failed again={again} />}
      onError={(error) => latchkey.log.error(`The view ${now.view} broke.`, error)}
    >
      <Loaded loader={loader} data={now.data} name={now.view} />
    </ErrorBoundary>
  )
}

interface LoadedProps {
  readonly loader: Loader<ComponentType<ViewProps<never>>>
  readonly data: unknown
  readonly name: string
}

function Loaded({ loader, data, name }: LoadedProps): ReactNode {
  const latchkey = useLatchkey()
  const text = useText()
  const Found = useSyncExternalStore(loader.subscribe, loader.get)
  const [failed, setFailed] = useState(false)

  useEffect(() => {
    if (Found || failed) return
    let left = false
    loader.load().catch((error: unknown) => {
      if (left) return
      latchkey.log.error(`The view ${name} did not load.`, error)
      setFailed(true)
    })
    return () => {
      left = true
    }
  }, [Found, failed, loader, latchkey, name])

  if (Found) return <Found data={data as never} />
  if (failed) return <Failed again={() => setFailed(false)} />
  return (
    <Screen title={text('modal.loading')} hideTitle>
      <Skeleton kind="row" count={4} />
    </Screen>
  )
}

function Failed({ again }: { readonly again: () => void }): ReactNode {
  const text = useText()
  return (
    <Screen title={text('reason.unknown')}>
      <Notice kind="error" action={{ label: text('common.retry'), onClick: again }}>
        {text('modal.loadFailed')}
      </Notice>
    </Screen>
  )
}
