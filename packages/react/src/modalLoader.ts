import type { Latchkey } from '@latchkey/core'
import { type ComponentType, type Context, createContext, useContext, useSyncExternalStore } from 'react'
import type { ChunkLoader } from './chunkLoader.ts'
import type { ViewLoaders } from './modal/viewLoaders.ts'

/** The contents of the modal chunk. */
export interface ModalChunk {
  readonly Modal: ComponentType<{ readonly views: ViewLoaders; readonly inline?: boolean }>
  readonly views: ViewLoaders
}

/** The state of a load that a button triggered. The load is either in progress or has failed. */
export interface LoadState {
  /** The button that shows the state: the network button, or the main button. */
  readonly by: 'main' | 'network'
  readonly failed: boolean
}

/** Loads the modal. Each provider has its own loader. */
export interface ModalLoader {
  readonly chunk: ChunkLoader<ModalChunk>
  /**
   * Fetches the chunk and the first view before the first click, and the directory's code if `latchkey` is passed. Errors are
   * ignored, because the click retries.
   */
  prefetch(latchkey?: Latchkey): void
  /**
   * Fetches everything that an open modal needs. Resolves to `false` on failure. `state()` returns the failure until the next
   * call.
   */
  load(latchkey: Latchkey, by?: LoadState['by']): Promise<boolean>
  /** Returns the state of a load that is in progress or has failed, otherwise `undefined`. */
  state(): LoadState | undefined
  subscribe(listener: () => void): () => void
}

/** The context that provides the modal loader. */
export const ModalLoaderContext: Context<ModalLoader | undefined> = createContext<ModalLoader | undefined>(undefined)

/** Returns the modal loader from the nearest provider. */
export function useModalLoader(): ModalLoader {
  const loader = useContext(ModalLoaderContext)
  if (!loader) throw new Error('Missing <LatchkeyProvider>.')
  return loader
}

const noState = (): undefined => undefined

/** Returns the state of a load that is in progress or has failed, otherwise `undefined`. */
export function useLoadState(): LoadState | undefined {
  const loader = useModalLoader()
  return useSyncExternalStore(loader.subscribe, loader.state, noState)
}
