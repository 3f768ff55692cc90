import { getAssetImage, getCurrencyImage, getTokenImage, getWalletImage } from '@latchkey/protocol/http/publicRoutes'
import { type Context, Hono } from 'hono'
import { HttpError } from '../errors/httpError.ts'
import {
  type CacheableAnswer,
  cacheableAnswer,
  type PreparedAnswer,
  prepareHeaders,
  respondPrepared,
} from '../http/preparedResponse.ts'
import type { PublicRequest } from '../projects/readProjectRequest.ts'
import type { Image, ImageKind, ServerDependencies } from '../serverDependencies.ts'

/**
 * Creates the image routes of the directory service. Images are public and do not require a project ID. A request from an `<img>`
 * element has no Origin header to check anyway.
 */
export function imageRoutes({ images }: Pick<ServerDependencies, 'images'>, imageAnswer: ImageAnswer): Hono {
  async function picture(c: Context, kind: ImageKind): Promise<Response> {
    const id = c.req.param('id') ?? ''
    const image = id.length <= 128 ? await images.find(kind, id) : undefined
    if (!image) throw new HttpError(404, 'imageId', 'Image not found')
    return respondPrepared(c, imageAnswer(c.req, image))
  }

  return new Hono()
    .get(getWalletImage.path, (c) => picture(c, 'wallet'))
    .get(getAssetImage.path, (c) => picture(c, 'asset'))
    .get(getCurrencyImage.path, (c) => picture(c, 'currency'))
    .get(getTokenImage.path, (c) => picture(c, 'token'))
}

/** Returns the response with an image. */
export type ImageAnswer = (request: Pick<PublicRequest, 'header'>, image: Image) => PreparedAnswer

/** Creates the function that responds with an image. The headers are created once per image. */
export function createImageAnswer(): ImageAnswer {
  const answers = new WeakMap<Image, CacheableAnswer>()
  return (request, image) => {
    const answer = answers.get(image) ?? cacheableImage(image)
    answers.set(image, answer)
    return cacheableAnswer(request, answer)
  }
}

function cacheableImage({ bytes, etag, type }: Image): CacheableAnswer {
  const unchangedHeaders = prepareHeaders({
    'cache-control': 'public, max-age=604800, stale-while-revalidate=2592000',
    // Prevents scripts in an image from running, even if the image is opened as a page.
    'content-security-policy': "default-src 'none'; sandbox",
    etag,
  })
  return { body: bytes, etag, unchangedHeaders, headers: { ...unchangedHeaders, 'content-type': type } }
}
