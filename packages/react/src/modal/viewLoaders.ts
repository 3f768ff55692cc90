import type { BuiltView, ViewName } from '@latchkey/core'
import type { ComponentType } from 'react'
import { type ChunkLoader, createChunkLoader } from '../chunkLoader.ts'
import type { ViewProps } from './viewProps.ts'
import { viewRegistry } from './viewRegistry.ts'

/** A loader for each view that is built. */
export type ViewLoaders = Readonly<Record<BuiltView, ChunkLoader<ComponentType<ViewProps<never>>>>>

/** Loaders for all views; nothing is fetched. */
export function createViewLoaders(): ViewLoaders {
  const loaders = Object.entries(viewRegistry).map(([name, fetch]) => [name, createChunkLoader(fetch)])
  return Object.fromEntries(loaders) as ViewLoaders
}

/** The loader of `view`, where it is built. */
export function findViewLoader(
  views: ViewLoaders,
  view: ViewName,
): ChunkLoader<ComponentType<ViewProps<never>>> | undefined {
  return Object.hasOwn(views, view) ? views[view as BuiltView] : undefined
}
