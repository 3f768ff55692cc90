/** Calls `load` on first use, and returns its promise from then on. If it fails, the next call tries again. */
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
