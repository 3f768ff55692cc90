/** The part of the `CloseWatcher` API that is used here. Chromium reports Android's back gesture through this API. */
interface CloseWatcher {
  onclose: (() => void) | null
  destroy(): void
}

/**
 * Calls `onRequest` for each close request from the platform, such as Android's back gesture. A watcher only handles a single
 * request, so a new watcher is created after each request, in case the modal refuses to close. Escape is handled as a key event
 * instead. Returns a function that stops watching.
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
      // Browsers can refuse to create a watcher. The user can still close the dialog with its buttons.
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
