import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { PageButton } from './buttons/PageButton.tsx'
import { useEntry, useModalDoor } from './door.ts'
import { useLatchkey } from './hooks/useLatchkey.ts'
import { useStore } from './hooks/useStore.ts'

const nothing = (): undefined => undefined

/** Draws the modal once its chunk is here: fetched when the page is idle, or now, when somebody opens it first. */
export function ModalHost({ inline }: { readonly inline?: boolean }): ReactNode {
  const latchkey = useLatchkey()
  const door = useModalDoor()
  const open = useStore((state) => state.modal.open)
  const wanted = open || inline === true
  const chunk = useSyncExternalStore(door.chunk.subscribe, door.chunk.get, nothing)

  const entry = useEntry()

  useEffect(() => {
    if (!wanted) return whenIdle(door.prefetch)
    void door.enter(latchkey).then((came) => {
      // Nothing can be drawn: give the page back. The buttons say so, and the next press tries again.
      if (!came) latchkey.modal.close({ force: true })
    })
    return undefined
  }, [wanted, door, latchkey])

  // A panel has a place in the page: what would stand on a button stands there.
  if (inline && entry?.failed)
    return (
      <PageButton kind="connect" status="failed" busy={false} onPress={() => void door.enter(latchkey)}>
        {null}
      </PageButton>
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
