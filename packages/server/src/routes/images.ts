import { getAssetImage, getCurrencyImage, getTokenImage, getWalletImage } from '@latchkey/protocol/http/apiRoutes'
import { type Context, Hono } from 'hono'
import { HttpError } from '../errors/httpError.ts'
import { hasCurrentVersion, type PreparedHeaders, prepareHeaders, respondPrepared } from '../http/preparedResponse.ts'
import type { Image, ImageKind, ServerDependencies } from '../serverDependencies.ts'

interface ImageHeaders {
  readonly whole: PreparedHeaders
  /** The headers of a response without a body. */
  readonly unchanged: PreparedHeaders
}

/**
 * Creates the image routes of the directory service. Images are public and do not require a project ID. A request from an `<img>`
 * element has no Origin header to check anyway.
 */
export function imageRoutes({ images }: Pick<ServerDependencies, 'images'>): Hono {
  const headersOf = new WeakMap<Image, ImageHeaders>()

  async function picture(c: Context, kind: ImageKind): Promise<Response> {
    const id = c.req.param('id') ?? ''
    const image = id.length <= 128 ? await images.find(kind, id) : undefined
    if (!image) throw new HttpError(404, 'imageId', 'Image not found')
    const prepared = headersOf.get(image) ?? imageHeaders(image)
    headersOf.set(image, prepared)
    if (hasCurrentVersion(c, image.etag)) return respondPrepared(c, null, prepared.unchanged, 304)
    return respondPrepared(c, image.bytes, prepared.whole)
  }

  return new Hono()
    .get(getWalletImage.path, (c) => picture(c, 'wallet'))
    .get(getAssetImage.path, (c) => picture(c, 'asset'))
    .get(getCurrencyImage.path, (c) => picture(c, 'currency'))
    .get(getTokenImage.path, (c) => picture(c, 'token'))
}

function imageHeaders({ etag, type }: Image): ImageHeaders {
  const unchanged = prepareHeaders({
    'cache-control': 'public, max-age=604800, stale-while-revalidate=2592000',
    // An image that contains scripts or is opened as a page cannot run any code.
    'content-security-policy': "default-src 'none'; sandbox",
    etag,
  })
  return { unchanged, whole: { ...unchanged, 'content-type': type } }
}
