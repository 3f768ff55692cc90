/** A limit on the number of concurrent calls, with a bounded queue. */
export interface Semaphore {
  /** Resolves to a function that releases the slot, or to `undefined` if the queue is full or if `signal` is aborted first. */
  enter(signal: AbortSignal): Promise<(() => void) | undefined>
}

/** Creates a semaphore that allows `calls` concurrent calls and queues up to `waiting` more in FIFO order. */
export function createSemaphore({ calls, waiting }: { calls: number; waiting: number }): Semaphore {
  const queue = new Set<(leave: (() => void) | undefined) => void>()
  let open = 0

  function leaver(): () => void {
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      const [next] = queue
      if (next) {
        queue.delete(next)
        next(leaver())
      } else open -= 1
    }
  }

  return {
    enter: async (signal) => {
      if (signal.aborted) return undefined
      if (open < calls) {
        open += 1
        return leaver()
      }
      if (queue.size >= waiting) return undefined
      return new Promise((resolve) => {
        const released = (leave: (() => void) | undefined): void => {
          signal.removeEventListener('abort', aborted)
          resolve(leave)
        }
        const aborted = (): void => {
          queue.delete(released)
          released(undefined)
        }
        queue.add(released)
        signal.addEventListener('abort', aborted, { once: true })
      })
    },
  }
}
