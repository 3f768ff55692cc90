/**
 * Returns a function that calls `load` on first use and then always returns the same promise. If loading fails, the next call
 * tries again.
 */
export function loadOnce<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loading: Promise<Loaded> | undefined
  return () => {
    if (!loading) {
      loading = load()
      loading.catch(() => {
        loading = undefined
      })
    }
    return loading
  }
}
