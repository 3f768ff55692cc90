import { createChunkLoader } from './chunkLoader.ts'
import type { LoadState, ModalChunk, ModalLoader } from './modalLoader.ts'

/** Creates a modal loader without fetching anything. */
export function createModalLoader(): ModalLoader {
  const chunk = createChunkLoader<ModalChunk>(async () => {
    const { createViewLoaders, Modal } = await import('./modal/Modal.tsx')
    const views = createViewLoaders()
    // The first view is loaded too, to avoid a second wait. If the view fails to load, the modal shows the error.
    await views.Connect.load().catch(() => undefined)
    return { Modal, views }
  })
  const listeners = new Set<() => void>()
  let state: LoadState | undefined
  const setState = (value: LoadState | undefined): void => {
    state = value
    for (const listener of listeners) listener()
  }
  return {
    chunk,
    prefetch: (latchkey) => void Promise.all([chunk.load(), latchkey?.directory()]).catch(() => undefined),
    async load(latchkey, by = state?.by ?? 'main') {
      const started: LoadState = { by, failed: false }
      setState(started)
      try {
        await Promise.all([chunk.load(), latchkey.prepare()])
        if (state === started) setState(undefined)
        return true
      } catch (error) {
        // If there are several loads in flight, only the last load sets the state.
        if (state === started) {
          latchkey.log.error('The modal did not load.', error)
          setState({ by, failed: true })
        }
        return false
      }
    },
    state: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
