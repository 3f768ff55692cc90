import type { BuiltView, ViewName } from '@latchkey/core'
import type { ComponentType } from 'react'
import { createLoader, type Loader } from '../loader.ts'
import { screens } from './screens.ts'
import type { ViewProps } from './viewProps.ts'

/** A loader for each view that is built. */
export type ViewLoaders = Readonly<Record<BuiltView, Loader<ComponentType<ViewProps<never>>>>>

/** Loaders for all views; nothing is fetched. */
export function createViews(): ViewLoaders {
  const loaders = Object.entries(screens).map(([name, fetch]) => [name, createLoader(fetch)])
  return Object.fromEntries(loaders) as ViewLoaders
}

/** The loader of `view`, where it is built. */
export function loaderOf(views: ViewLoaders, view: ViewName): Loader<ComponentType<ViewProps<never>>> | undefined {
  return Object.hasOwn(views, view) ? views[view as BuiltView] : undefined
}
