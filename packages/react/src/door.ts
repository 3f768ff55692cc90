import type { Latchkey } from '@latchkey/core'
import { type ComponentType, type Context, createContext, useContext, useSyncExternalStore } from 'react'
import { createLoader, type Loader } from './loader.ts'
import type { ViewLoaders } from './modal/views.ts'

/** What the modal's chunk brings. */
export interface ModalChunk {
  readonly Modal: ComponentType<{ readonly views: ViewLoaders; readonly inline?: boolean }>
  readonly views: ViewLoaders
}

/** Somebody wants in, and waits for what must be loaded first, or is told that it did not load. */
export interface Entry {
  /** The button that says so: the one of the networks, or the one to connect with. */
  readonly by: 'main' | 'network'
  readonly failed: boolean
}

/** The way to the modal, one per provider. */
export interface ModalDoor {
  readonly chunk: Loader<ModalChunk>
  /** Fetches the chunk and its first view before anybody clicks. Failing is fine here: the click tries again. */
  prefetch(): void
  /** Fetches all that an open modal needs. Answers whether it is here; where it is not, `entry` says so until the next call. */
  enter(latchkey: Latchkey, by?: Entry['by']): Promise<boolean>
  /** What is under way or failed; `undefined` while there is nothing to say. */
  entry(): Entry | undefined
  subscribe(listener: () => void): () => void
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
  const listeners = new Set<() => void>()
  let entry: Entry | undefined
  const tell = (next: Entry | undefined): void => {
    entry = next
    for (const listener of listeners) listener()
  }
  return {
    chunk,
    prefetch: () => void chunk.load().catch(() => undefined),
    async enter(latchkey, by = entry?.by ?? 'main') {
      const mine: Entry = { by, failed: false }
      tell(mine)
      try {
        await Promise.all([chunk.load(), latchkey.prepare()])
        if (entry === mine) tell(undefined)
        return true
      } catch (error) {
        // Of several, the last one knows.
        if (entry === mine) {
          latchkey.log.error('The modal did not load.', error)
          tell({ by, failed: true })
        }
        return false
      }
    },
    entry: () => entry,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The door of the nearest provider. */
export const DoorContext: Context<ModalDoor | undefined> = createContext<ModalDoor | undefined>(undefined)

/** The door of the nearest provider. */
export function useModalDoor(): ModalDoor {
  const door = useContext(DoorContext)
  if (!door) throw new Error('Put a <LatchkeyProvider> above what uses Latchkey.')
  return door
}

const nothing = (): undefined => undefined

/** What the door has to say to the buttons. */
export function useEntry(): Entry | undefined {
  const door = useModalDoor()
  return useSyncExternalStore(door.subscribe, door.entry, nothing)
}
