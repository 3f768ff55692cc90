import type { Route } from '@latchkey/core'
import { Notice, Screen, Skeleton } from '@latchkey/ui'
import { type ComponentType, type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import type { ChunkLoader } from '../chunkLoader.ts'
import { useLatchkey } from '../hooks/useLatchkey.ts'
import { useTranslations } from '../i18n/useTranslations.ts'
import type { ViewProps } from '../views/viewProps.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import type { ViewLoaders } from './viewLoaders.ts'

/** Renders the view for `route`. Shows a placeholder while its chunk loads, and a retry button if loading fails. */
export function ViewRenderer({ route, views }: { readonly route: Route; readonly views: ViewLoaders }): ReactNode {
  const latchkey = useLatchkey()
  return (
    <ErrorBoundary
      fallback={(retry) => <LoadFailed retry={retry} />}
      onError={(error) => latchkey.log.error(`The view ${route.view} threw an error.`, error)}
    >
      <LoadedView loader={views.of(route.view)} data={route.data} name={route.view} />
    </ErrorBoundary>
  )
}

interface LoadedViewProps {
  readonly loader: ChunkLoader<ComponentType<ViewProps<never>>>
  readonly data: unknown
  readonly name: string
}

function LoadedView({ loader, data, name }: LoadedViewProps): ReactNode {
  const latchkey = useLatchkey()
  const text = useTranslations()
  const Component = useSyncExternalStore(loader.subscribe, loader.get)
  const [failed, setFailed] = useState(false)

  useEffect(() => {
    if (Component || failed) return
    let unmounted = false
    loader.load().catch((error: unknown) => {
      if (unmounted) return
      latchkey.log.error(`The view ${name} did not load.`, error)
      setFailed(true)
    })
    return () => {
      unmounted = true
    }
  }, [Component, failed, loader, latchkey, name])

  if (Component) return <Component data={data as never} />
  if (failed) return <LoadFailed retry={() => setFailed(false)} />
  return (
    <Screen title={text('modal.loading')} hideTitle>
      <Skeleton kind="row" count={4} />
    </Screen>
  )
}

function LoadFailed({ retry }: { readonly retry: () => void }): ReactNode {
  const text = useTranslations()
  return (
    <Screen title={text('reason.unknown')}>
      <Notice kind="error" action={{ label: text('common.retry'), onClick: retry }}>
        {text('modal.loadFailed')}
      </Notice>
    </Screen>
  )
}
