/** The part of the platform's CloseWatcher that we use (Chromium; Android's back is how it speaks). */
interface Watcher {
  onclose: (() => void) | null
  destroy(): void
}

/**
 * Hears the platform's request to close (Android's back) for as long as the modal is open. A watcher is spent by its request, so
 * a new one takes its place; a modal that holds the door therefore hears every one of them. Escape comes as a key and is kept from
 * getting here. The answer stops it.
 */
export function hearCloseRequests(onRequest: () => void): () => void {
  const Maker = (window as { CloseWatcher?: new () => Watcher }).CloseWatcher
  if (Maker === undefined) return () => undefined
  let watcher: Watcher | undefined
  let stopped = false
  const listen = (): void => {
    try {
      watcher = new Maker()
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
