import type { Directory, DirectoryState, Latchkey } from '@latchkey/core'
import type { Network } from '@latchkey/core/adapter'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { useLatchkey } from '../hooks/useLatchkey.ts'
import { useStore } from '../hooks/useStore.ts'

/** The directory and its status. The status is `none` if no server is configured. */
export interface DirectoryAccess {
  readonly status: 'loading' | 'ready' | 'none' | 'failed'
  readonly directory: Directory | undefined
  readonly state: DirectoryState | undefined
  retry(): void
}

/** Whether a directory is configured. This is known synchronously, so that views can reserve space for the directory. */
export function hasDirectory(latchkey: Latchkey): boolean {
  return latchkey.options.server !== undefined && latchkey.options.projectId !== undefined
}

/** Returns the directory and its state. The directory's code is loaded on first use. */
export function useDirectory({ disabled = false }: { disabled?: boolean } = {}): DirectoryAccess {
  const latchkey = useLatchkey()
  const configured = hasDirectory(latchkey)
  // The directory is not available until the instance has started.
  const ready = useStore((state) => state.ready)
  const [attempt, setAttempt] = useState(0)
  const [result, setResult] = useState<Directory | 'none' | 'failed'>()

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` triggers a retry
  useEffect(() => {
    if (disabled || !ready) return
    let unmounted = false
    latchkey.directory().then(
      (directory) => {
        if (!unmounted) setResult(directory ?? 'none')
      },
      () => {
        if (!unmounted) setResult('failed')
      },
    )
    return () => {
      unmounted = true
    }
  }, [latchkey, attempt, disabled, ready])

  const directory = typeof result === 'object' ? result : undefined
  const state = useSyncExternalStore(
    useCallback((listener: () => void) => directory?.state.subscribe(listener) ?? (() => undefined), [directory]),
    () => directory?.state.get(),
    () => undefined,
  )
  const status = typeof result === 'string' ? result : directory ? 'ready' : configured ? 'loading' : 'none'
  return {
    status,
    directory,
    state,
    retry: () => {
      setResult(undefined)
      setAttempt((now) => now + 1)
    },
  }
}

/** Returns the URL of an image once `fetch` resolves. The image is fetched again when `key` changes. */
export function useFetchedImage(key: string | undefined, fetch: () => Promise<string | undefined>): string | undefined {
  const [image, setImage] = useState<{ key: string; src: string | undefined }>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` identifies what is fetched
  useEffect(() => {
    if (key === undefined) return
    let unmounted = false
    fetch().then(
      (src) => {
        if (!unmounted) setImage({ key, src })
      },
      // If the image cannot be fetched, its placeholder stays visible.
      () => undefined,
    )
    return () => {
      unmounted = true
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

/** Returns the URL of a network's image: the network's own URL, or the server's image with the network's image ID. */
export function useNetworkImage(network: Network | undefined): string | undefined {
  const latchkey = useLatchkey()
  const id = network?.assets?.imageId
  const own = network?.assets?.imageUrl
  const fetched = useFetchedImage(own === undefined && hasDirectory(latchkey) ? id : undefined, async () =>
    id === undefined ? undefined : (await latchkey.directory())?.image('asset', id),
  )
  return own ?? fetched
}
