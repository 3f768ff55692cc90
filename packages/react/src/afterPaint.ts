/** Runs `task` after the browser has painted the next frame. Returns a function that cancels it. */
export function afterPaint(task: () => void): () => void {
  let cancelled = false
  requestAnimationFrame(() => setTimeout(() => cancelled || task()))
  return () => {
    cancelled = true
  }
}
