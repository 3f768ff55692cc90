import type { BuiltView, ViewName } from '@latchkey/core'
import type { ComponentType } from 'react'
import { type ChunkLoader, createChunkLoader } from '../chunkLoader.ts'
import type { ViewProps } from '../views/viewProps.ts'
import { viewRegistry } from './viewRegistry.ts'

/** A chunk loader for each implemented view. */
export type ViewLoaders = Readonly<Record<BuiltView, ChunkLoader<ComponentType<ViewProps<never>>>>>

/** Creates the loaders for all views without fetching any of them. */
export function createViewLoaders(): ViewLoaders {
  const loaders = Object.entries(viewRegistry).map(([name, fetch]) => [name, createChunkLoader(fetch)])
  return Object.fromEntries(loaders) as ViewLoaders
}

/** Returns the loader for `view`, or `undefined` if the view is not implemented. */
export function findViewLoader(
  views: ViewLoaders,
  view: ViewName,
): ChunkLoader<ComponentType<ViewProps<never>>> | undefined {
  return Object.hasOwn(views, view) ? views[view as BuiltView] : undefined
}
