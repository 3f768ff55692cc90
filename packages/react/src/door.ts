import { type ComponentType, type Context, createContext, useContext } from 'react'
import { createLoader, type Loader } from './loader.ts'
import type { ViewLoaders } from './modal/views.ts'

/** What the modal's chunk brings. */
export interface ModalChunk {
  readonly Modal: ComponentType<{ readonly views: ViewLoaders; readonly inline?: boolean }>
  readonly views: ViewLoaders
}

/** The way to the modal's chunk, one per provider. */
export interface ModalDoor {
  readonly chunk: Loader<ModalChunk>
  /** Fetches the chunk and its first view before anybody clicks. Failing is fine here: the click tries again. */
  prefetch(): void
}

/** A door behind which nothing has been fetched yet. */
export function createDoor(): ModalDoor {
  const chunk = createLoader<ModalChunk>(async () => {
    const { createViews, Modal } = await import('./modal/Modal.tsx')
    const views = createViews()
    // The first view comes along, so that one wait is enough; if it fails, the modal says so itself.
    await views.Connect.load().catch(() => undefined)
    return { Modal, views }
  })
  return { chunk, prefetch: () => void chunk.load().catch(() => undefined) }
}

/** The door of the nearest provider. */
export const DoorContext: Context<ModalDoor | undefined> = createContext<ModalDoor | undefined>(undefined)

/** The door of the nearest provider. */
export function useModalDoor(): ModalDoor {
  const door = useContext(DoorContext)
  if (!door) throw new Error('Put a <LatchkeyProvider> above what uses Latchkey.')
  return door
}
