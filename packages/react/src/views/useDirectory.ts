import type { Directory, DirectoryState, Latchkey } from '@latchkey/core'
import type { Network } from '@latchkey/core/adapter'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { afterPaint } from '../afterPaint.ts'
import { useLatchkey } from '../hooks/useLatchkey.ts'
import { type DirectoryLoader, useDirectoryLoader } from './directoryLoader.ts'

/** The directory and its status. The status is `none` if no directory is configured. */
export interface DirectoryAccess {
  readonly status: 'loading' | 'ready' | 'none' | 'failed'
  readonly directory: Directory | undefined
  readonly state: DirectoryState | undefined
  retry(): void
}

/** Whether a directory is configured. This is known synchronously, so views can reserve space before the directory loads. */
export function hasDirectory(latchkey: Latchkey): boolean {
  return latchkey.options.server !== undefined && latchkey.options.projectId !== undefined
}

/** Returns the directory and its state. The directory's code is loaded on first use. */
export function useDirectory(): DirectoryAccess {
  const configured = hasDirectory(useLatchkey())
  const loader = useDirectoryLoader()
  const loaded = useSyncExternalStore(loader.subscribe, loader.get)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    if (loaded || failed) return
    let unmounted = false
    loader.load().catch(() => {
      if (!unmounted) setFailed(true)
    })
    return () => {
      unmounted = true
    }
  }, [loader, loaded, failed])
  const state = useDirectoryState((now) => now)
  const directory = loaded?.directory
  return {
    status: directory ? 'ready' : loaded || !configured ? 'none' : failed ? 'failed' : 'loading',
    directory,
    state,
    retry: () => setFailed(false),
  }
}

/**
 * Returns a value from the directory's state, which is `undefined` until the directory has been loaded. The component only
 * re-renders when the value changes.
 */
export function useDirectoryState<T>(select: (state: DirectoryState | undefined) => T): T {
  const loader = useDirectoryLoader()
  return useSyncExternalStore(
    useCallback(
      (listener: () => void) =>
        whenLoaded(loader, ({ state }) => {
          listener()
          return state.subscribe(listener)
        }),
      [loader],
    ),
    () => select(loader.get()?.directory?.state.get()),
  )
}

/**
 * Calls `request` with the directory once the directory has loaded and the view has been painted, so that no request delays the
 * first frame. Calls it again when `key` changes.
 */
export function useDirectoryRequest(request: (directory: Directory) => unknown, key?: unknown): void {
  const loader = useDirectoryLoader()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` identifies the request
  useEffect(() => whenLoaded(loader, (directory) => afterPaint(() => void request(directory))), [loader, key])
}

/**
 * Loads the directory and passes it to `task`. If loading fails, `task` is not called; views that need the directory show the
 * failure themselves. Returns a function that calls the function that `task` returned, or prevents `task` from being called.
 */
function whenLoaded(loader: DirectoryLoader, task: (directory: Directory) => () => void): () => void {
  let stop: (() => void) | undefined
  let stopped = false
  loader.load().then(
    ({ directory }) => {
      if (!stopped && directory) stop = task(directory)
    },
    () => undefined,
  )
  return () => {
    stopped = true
    stop?.()
  }
}

/**
 * Returns the URL of an image once `fetch` resolves. The image is fetched after its placeholder has been painted, and again when
 * `key` changes.
 */
export function useFetchedImage(key: string | undefined, fetch: () => Promise<string | undefined>): string | undefined {
  const [image, setImage] = useState<{ key: string; src: string | undefined }>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` identifies what is fetched
  useEffect(() => {
    if (key === undefined) return
    let unmounted = false
    const cancel = afterPaint(() => {
      fetch().then(
        (src) => {
          if (!unmounted) setImage({ key, src })
        },
        // If the image cannot be fetched, its placeholder stays visible.
        () => undefined,
      )
    })
    return () => {
      unmounted = true
      cancel()
    }
  }, [key])
  return image?.key === key ? image?.src : undefined
}

/** Returns the URL of a directory wallet's image once it is available. */
export function useWalletImage(wallet: Parameters<Directory['walletImage']>[0] | undefined): string | undefined {
  const latchkey = useLatchkey()
  const key = wallet?.image_url ?? wallet?.image_id
  const fetched = useFetchedImage(key && hasDirectory(latchkey) ? key : undefined, async () =>
    wallet ? (await latchkey.directory())?.walletImage(wallet) : undefined,
  )
  return fetched
}

/** Returns the URL of a network's image: the network's own URL, or the server's URL for its image ID. */
export function useNetworkImage(network: Network | undefined): string | undefined {
  const latchkey = useLatchkey()
  const id = network?.assets?.imageId
  const own = network?.assets?.imageUrl
  const fetched = useFetchedImage(own === undefined && hasDirectory(latchkey) ? id : undefined, async () =>
    id === undefined ? undefined : (await latchkey.directory())?.image('asset', id),
  )
  return own ?? fetched
}
