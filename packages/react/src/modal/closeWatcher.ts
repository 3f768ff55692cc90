/** The part of the platform's CloseWatcher that we use (Chromium; Android's back is how it speaks). */
interface CloseWatcher {
  onclose: (() => void) | null
  destroy(): void
}

/**
 * Hears the platform's request to close (Android's back) for as long as the modal is open. A watcher is spent by its request, so
 * a new one takes its place; a modal that holds the door therefore hears every one of them. Escape comes as a key and is kept from
 * getting here. The answer stops it.
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
      // A page may have none to give; the dialog still closes by its own buttons.
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
