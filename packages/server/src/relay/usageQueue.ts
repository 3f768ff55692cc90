/** An entry that waits for its turn. */
interface Entry {
  /** The amount that the entry is ordered by. */
  use: number
  /** The order of arrival, which decides between entries with the same use. */
  turn: number
}

/** A priority queue that returns the entry with the least use, or the first of several that have the same use. */
export interface UsageQueue<Waiting extends Entry> {
  add(entry: Waiting): void
  /** Removes and returns the first entry, or returns `undefined` if there is none. */
  take(): Waiting | undefined
  /** Orders all entries again. Called after `use` has changed. */
  reorder(): void
}

/** Creates a priority queue as a binary heap, so that a turn takes little time even if many entries are waiting. */
export function createUsageQueue<Waiting extends Entry>(): UsageQueue<Waiting> {
  const heap: Waiting[] = []

  const isBefore = (a: Waiting, b: Waiting): boolean => a.use < b.use || (a.use === b.use && a.turn < b.turn)

  const swap = (one: number, other: number): void => {
    const entry = heap[one] as Waiting
    heap[one] = heap[other] as Waiting
    heap[other] = entry
  }

  const moveUp = (start: number): void => {
    for (let at = start; at > 0; ) {
      const parent = (at - 1) >> 1
      if (!isBefore(heap[at] as Waiting, heap[parent] as Waiting)) return
      swap(at, parent)
      at = parent
    }
  }

  const moveDown = (start: number): void => {
    for (let at = start; ; ) {
      let first = at
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < heap.length && isBefore(heap[child] as Waiting, heap[first] as Waiting)) first = child
      if (first === at) return
      swap(at, first)
      at = first
    }
  }

  return {
    add(entry) {
      heap.push(entry)
      moveUp(heap.length - 1)
    },
    take() {
      const [first] = heap
      const last = heap.pop()
      if (last && heap.length > 0) {
        heap[0] = last
        moveDown(0)
      }
      return first
    },
    reorder() {
      for (let at = (heap.length >> 1) - 1; at >= 0; at -= 1) moveDown(at)
    },
  }
}
