/**
 * Whether a request was made by a document from `origin` itself. A same-site check is not enough, because the page that embeds
 * the frame can be same-site. Checks `Sec-Fetch-Site`, which pages cannot set, and `Origin`, which can be absent only for GET and
 * HEAD.
 */
export function isSameOrigin(request: Request, origin: string): boolean {
  if (request.headers.get('sec-fetch-site') !== 'same-origin') return false
  const named = request.headers.get('origin')
  return named === null ? request.method === 'GET' || request.method === 'HEAD' : named === origin
}
