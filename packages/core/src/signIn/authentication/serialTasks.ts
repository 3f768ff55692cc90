/** Returns a function that runs tasks one at a time, in order. A task that fails does not affect the next one. */
export function createSerialTasks(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const next = last.then(task)
    last = next.catch(() => {})
    return next
  }
}
