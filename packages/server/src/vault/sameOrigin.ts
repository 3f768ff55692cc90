/**
 * Whether a request comes from the frame of `origin` itself. Same-site protects nothing here, the page around the frame is
 * same-site too: the browser has to say "same-origin", in a header that no page can set, and name the origin wherever it
 * names one at all.
 */
export function isSameOrigin(request: Request, origin: string): boolean {
  if (request.headers.get('sec-fetch-site') !== 'same-origin') return false
  const named = request.headers.get('origin')
  return named === null ? request.method === 'GET' || request.method === 'HEAD' : named === origin
}
