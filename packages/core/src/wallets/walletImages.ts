import type { Clock } from '@latchkey/protocol/clock'
import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import { isLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { imagePreloadMs, prefetchedImages } from '@latchkey/protocol/specificationConstants'
import { settledWithin } from '../lib/delay.ts'
import type { Log } from '../lib/log.ts'
import type { DirectoryRequests } from './directoryRequests.ts'
import type { Directory } from './directoryTypes.ts'

/** The images of wallets, networks and tokens. Each image is loaded once. */
export interface WalletImages extends Pick<Directory, 'image' | 'walletImage'> {
  /** Waits for the first images in a list, up to a timeout. */
  preload(wallets: readonly Wallet[]): Promise<void>
  /** Revokes the blob URLs. */
  stop(): void
}

/** Creates the image cache. */
export function createWalletImages(dependencies: {
  readonly requests: Pick<DirectoryRequests, 'image' | 'imageAt'>
  readonly clock: Clock
  readonly log: Pick<Log, 'debug'>
  /** Aborts when the directory stops. An image that arrives later is released. */
  readonly signal: AbortSignal
  /** Image URLs of the host's own wallets. They are displayed without being checked. */
  readonly hostImages: readonly string[]
}): WalletImages {
  const { requests, clock, log, signal, hostImages } = dependencies
  const images = new Map<string, Promise<string | undefined>>()

  const cached = (key: string, load: () => Promise<string>): Promise<string | undefined> => {
    const known = images.get(key)
    if (known) return known
    const image = load().then(
      (src) => {
        if (!signal.aborted) return src
        URL.revokeObjectURL(src)
        return undefined
      },
      (error: unknown) => {
        log.debug(`Could not load image ${key}`, error)
        // An unreachable image can be requested again later. A missing or invalid image is not requested again.
        if (isLatchkeyError(error, 'http/unreachable')) images.delete(key)
        return undefined
      },
    )
    images.set(key, image)
    return image
  }
  const image: WalletImages['image'] = (kind, id) => cached(`${kind}/${id}`, () => requests.image(kind, id))
  const walletImage: WalletImages['walletImage'] = async ({ image_id, image_url: url }) => {
    if (!url) return image_id ? image('wallet', image_id) : undefined
    if (hostImages.includes(url)) return url
    // An image from the directory could be endless or take minutes to render, so it is downloaded up to a size limit and checked
    // before use.
    return cached(url, () => requests.imageAt(url))
  }

  return {
    image,
    walletImage,
    preload(wallets) {
      const first = wallets.slice(0, prefetchedImages).map(walletImage)
      return settledWithin(Promise.all(first), { clock, ms: imagePreloadMs })
    },
    stop() {
      for (const image of images.values()) void image.then((url) => url && URL.revokeObjectURL(url))
      images.clear()
    },
  }
}
