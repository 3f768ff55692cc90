import { getAssetImage, getCurrencyImage, getTokenImage, getWalletImage } from '@latchkey/protocol/http/apiRoutes'
import { type Context, Hono } from 'hono'
import { HttpError } from '../errors/httpError.ts'
import type { ImageKind, ServerDependencies } from '../serverDependencies.ts'

/**
 * Creates the image routes of the directory service. Images are public and do not require a project ID. A request from an `<img>`
 * element has no Origin header to check anyway.
 */
export function imageRoutes({ images }: Pick<ServerDependencies, 'images'>): Hono {
  async function picture(c: Context, kind: ImageKind): Promise<Response> {
    const id = c.req.param('id') ?? ''
    const image = id.length <= 128 ? await images.find(kind, id) : undefined
    if (!image) throw new HttpError(404, 'imageId', 'Image not found')
    const headers = {
      'cache-control': 'public, max-age=604800, stale-while-revalidate=2592000',
      // An image that contains scripts or is opened as a page cannot run any code.
      'content-security-policy': "default-src 'none'; sandbox",
      etag: image.etag,
    }
    if (matches(c.req.header('if-none-match'), image.etag)) return new Response(null, { status: 304, headers })
    return new Response(image.bytes, { headers: { ...headers, 'content-type': image.type } })
  }

  return new Hono()
    .get(getWalletImage.path, (c) => picture(c, 'wallet'))
    .get(getAssetImage.path, (c) => picture(c, 'asset'))
    .get(getCurrencyImage.path, (c) => picture(c, 'currency'))
    .get(getTokenImage.path, (c) => picture(c, 'token'))
}

function matches(etags: string | undefined, etag: string): boolean {
  if (!etags) return false
  return etags.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}
