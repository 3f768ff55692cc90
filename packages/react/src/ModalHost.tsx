import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { BaseButton } from './buttons/BaseButton.tsx'
import { useLatchkey } from './hooks/useLatchkey.ts'
import { useStore } from './hooks/useStore.ts'
import { useLoadState, useModalLoader } from './modalLoader.ts'

const noChunk = (): undefined => undefined

/** Draws the modal once its chunk is here: fetched when the page is idle, or now, when somebody opens it first. */
export function ModalHost({ inline }: { readonly inline?: boolean }): ReactNode {
  const latchkey = useLatchkey()
  const loader = useModalLoader()
  const open = useStore((state) => state.modal.open)
  const visible = open || inline === true
  const chunk = useSyncExternalStore(loader.chunk.subscribe, loader.chunk.get, noChunk)

  const loadState = useLoadState()

  useEffect(() => {
    if (!visible) return whenIdle(loader.prefetch)
    void loader.load(latchkey).then((loaded) => {
      // Nothing can be drawn: give the page back. The buttons say so, and the next press tries again.
      if (!loaded) latchkey.modal.close({ force: true })
    })
    return undefined
  }, [visible, loader, latchkey])

  // A panel has a place in the page: what would stand on a button stands there.
  if (inline && loadState?.failed)
    return (
      <BaseButton kind="connect" status="failed" busy={false} onPress={() => void loader.load(latchkey)}>
        {null}
      </BaseButton>
    )
  return chunk ? <chunk.Modal views={chunk.views} {...(inline ? { inline } : {})} /> : null
}

function whenIdle(task: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const id = requestIdleCallback(task, { timeout: 4000 })
    return () => cancelIdleCallback(id)
  }
  const timer = setTimeout(task, 1500)
  return () => clearTimeout(timer)
}
