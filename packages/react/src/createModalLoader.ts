import type { LatchkeyOptions } from '@latchkey/core'
import { createChunkLoader } from './chunkLoader.ts'
import type { LoadState, ModalChunk, ModalLoader } from './ModalLoaderContext.ts'

/** Creates a modal loader without fetching anything. The chunk includes the legal texts if the host has legal links. */
export function createModalLoader({
  termsUrl,
  privacyUrl,
}: Pick<LatchkeyOptions, 'termsUrl' | 'privacyUrl'>): ModalLoader {
  const chunk = createChunkLoader<ModalChunk>(async () => {
    const [modal, legal] = await Promise.all([
      import('./modal/Modal.tsx').then(({ createViewLoaders, Modal }) => ({ Modal, views: createViewLoaders() })),
      (termsUrl ?? privacyUrl) === undefined ? undefined : import('./views/LegalTexts.tsx'),
    ])
    // Connect is part of the modal's chunk. Loading it here lets the modal render it without a placeholder.
    await modal.views.of('Connect').load()
    return { ...modal, legal }
  })
  const listeners = new Set<() => void>()
  let state: LoadState | undefined
  const setState = (value: LoadState | undefined): void => {
    state = value
    for (const listener of listeners) listener()
  }
  return {
    chunk,
    prefetch: (latchkey) =>
      void Promise.all([
        chunk.load().then(({ views }) => latchkey && views.prefetch()),
        latchkey?.prepare(),
        latchkey?.directory(),
      ]).catch(() => undefined),
    async load(latchkey, by = state?.by ?? 'main') {
      const started: LoadState = { by, failed: false }
      setState(started)
      try {
        await Promise.all([chunk.load(), latchkey.prepare()])
        if (state === started) setState(undefined)
        return true
      } catch (error) {
        // If several loads are in progress, only the most recent one sets the state.
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
