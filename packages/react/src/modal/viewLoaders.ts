import type { BuiltView, ViewName } from '@latchkey/core'
import type { ComponentType } from 'react'
import { type ChunkLoader, createChunkLoader } from '../chunkLoader.ts'
import { Connect } from '../views/connect/Connect.tsx'
import type { ViewProps } from '../views/viewProps.ts'

type ViewLoader = ChunkLoader<ComponentType<ViewProps<never>>>

/** Loads the code of views on demand. */
export interface ViewLoaders {
  /** Returns the loader for `view`, which fails if the view is not implemented. */
  of(view: ViewName): ViewLoader
  /** Fetches the view registry in advance, so that opening a view does not have to wait for it. Errors are ignored. */
  prefetch(): void
}

/** Creates the loaders for all views without fetching any view. Connect is already part of this chunk. */
export function createViewLoaders(): ViewLoaders {
  const loaders = new Map<ViewName, ViewLoader>()
  const registry = () => import('./viewRegistry.ts')
  return {
    of(view) {
      const known = loaders.get(view)
      if (known) return known
      const loader: ViewLoader = createChunkLoader(async () =>
        view === 'Connect' ? Connect : (await registry()).viewRegistry[view as Exclude<BuiltView, 'Connect'>](),
      )
      loaders.set(view, loader)
      return loader
    },
    prefetch: () => void registry().catch(() => undefined),
  }
}
