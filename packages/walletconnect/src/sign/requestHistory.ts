import { read } from '@latchkey/protocol/parseWithSchema'
import * as v from 'valibot'
import type { KeyValueStorage } from '../storage.ts'

/** The maximum number of request IDs that are stored per topic. */
const maxHandledIds = 200

const idsSchema = v.array(v.number())

/** A history of handled requests, which ensures that no request is handled twice, even after a reload. */
export interface RequestHistory {
  /**
   * Calls `handle` unless the request is being handled or has been handled. If `handle` rejects, the request can be handled
   * again.
   */
  handleOnce(topic: string, id: number, handle: () => Promise<void>): Promise<void>
  /** Deletes the history of `topic`. */
  remove(topic: string): Promise<void>
}

/** Creates a history in `storage`. Only topics for which `isActive` returns `true` are stored. */
export function createRequestHistory(storage: KeyValueStorage, isActive: (topic: string) => boolean): RequestHistory {
  const handling = new Set<string>()
  const handled = new Map<string, number[]>()

  const handledIds = async (topic: string): Promise<number[]> => {
    const stored = handled.get(topic) ?? [...(read(idsSchema, await storage.get(`handled:${topic}`)) ?? [])]
    const ids = handled.get(topic) ?? stored
    if (isActive(topic)) handled.set(topic, ids)
    return ids
  }

  const markHandled = async (topic: string, id: number): Promise<void> => {
    const ids = await handledIds(topic)
    ids.push(id)
    ids.splice(0, ids.length - maxHandledIds)
    if (isActive(topic)) await storage.set(`handled:${topic}`, ids)
  }

  return {
    async handleOnce(topic, id, handle) {
      const key = `${topic}:${id}`
      if (handling.has(key)) return
      // Must run before the first `await`, because the same request can arrive twice in quick succession.
      handling.add(key)
      try {
        if ((await handledIds(topic)).includes(id)) return
        await handle()
        await markHandled(topic, id)
      } finally {
        handling.delete(key)
      }
    },
    async remove(topic) {
      handled.delete(topic)
      await storage.remove(`handled:${topic}`)
    },
  }
}
