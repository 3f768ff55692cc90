import type { Latchkey } from '@latchkey/core'
import { type ComponentType, type Context, createContext, useContext, useSyncExternalStore } from 'react'
import type { ChunkLoader } from './chunkLoader.ts'
import type { ViewLoaders } from './modal/viewLoaders.ts'
import type { LegalTexts } from './views/LegalConsent.tsx'

/** The contents of the modal chunk. */
export interface ModalChunk {
  readonly Modal: ComponentType<{
    readonly views: ViewLoaders
    readonly legal: LegalTexts | undefined
    readonly inline?: boolean
  }>
  readonly views: ViewLoaders
  readonly legal: LegalTexts | undefined
}

/** The state of a call to `load` that is in progress or has failed. */
export interface LoadState {
  /** The button that shows the state: the network button or the main button. */
  readonly by: 'main' | 'network'
  readonly failed: boolean
}

/** Loads the modal. Each provider has its own loader. */
export interface ModalLoader {
  readonly chunk: ChunkLoader<ModalChunk>
  /**
   * Fetches the modal's chunk, including Connect, in advance. If `latchkey` is passed, also fetches the view registry, the
   * directory's code and the code for connecting wallets. Errors are ignored, because opening the modal retries.
   */
  prefetch(latchkey?: Latchkey): void
  /**
   * Fetches the modal's chunk and the code for connecting wallets. Resolves to `false` on failure. `state()` then reports the
   * failure until the next call.
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
