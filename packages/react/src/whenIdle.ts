/** Runs `task` when the browser is idle, after four seconds at the latest. Returns a function that cancels it. */
export function whenIdle(task: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const id = requestIdleCallback(task, { timeout: 4000 })
    return () => cancelIdleCallback(id)
  }
  const timer = setTimeout(task, 1500)
  return () => clearTimeout(timer)
}
