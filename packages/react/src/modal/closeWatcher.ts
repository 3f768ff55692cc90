/** The part of the `CloseWatcher` API that is used here. Chromium fires it for Android's back gesture. */
interface CloseWatcher {
  onclose: (() => void) | null
  destroy(): void
}

/**
 * Calls `onRequest` for each close request of the platform (Android's back gesture) while the modal is open. A watcher handles a single
 * request, so a new one is created after each. A modal that refuses to close therefore still receives later requests. Escape is handled as
 * a key event instead. Returns a function that stops watching.
 */
export function watchCloseRequests(onRequest: () => void): () => void {
  const Constructor = (window as { CloseWatcher?: new () => CloseWatcher }).CloseWatcher
  if (Constructor === undefined) return () => undefined
  let watcher: CloseWatcher | undefined
  let stopped = false
  const listen = (): void => {
    try {
      watcher = new Constructor()
    } catch {
      // The browser may refuse to create a watcher. The dialog can still be closed by its buttons.
      return
    }
    watcher.onclose = () => {
      onRequest()
      if (!stopped) listen()
    }
  }
  listen()
  return () => {
    stopped = true
    watcher?.destroy()
  }
}
