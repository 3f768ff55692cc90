import { request as ask } from 'node:http'
import { Readable } from 'node:stream'

/**
 * Works like `fetch`, but can reach the host names of the dev environment. Browsers resolve every name under `localhost` to this
 * machine, but Node does not on every system, so requests for these names go to 127.0.0.1 with the name in the Host header. Their
 * redirects are not followed.
 */
export function localFetch(request: Request, { port }: { port?: number } = {}): Promise<Response> {
  const url = new URL(request.url)
  if (!url.hostname.endsWith('.localhost')) return fetch(request)
  return new Promise((resolve, reject) => {
    const outgoing = ask(
      {
        host: '127.0.0.1',
        port: port ?? (url.port || 80),
        path: url.pathname + url.search,
        method: request.method,
        headers: { ...Object.fromEntries(request.headers), host: url.host },
        signal: request.signal,
      },
      (incoming) => {
        const headers = new Headers()
        for (let at = 0; at < incoming.rawHeaders.length; at += 2) {
          const [name = '', value = ''] = incoming.rawHeaders.slice(at, at + 2)
          if (!/^(connection|keep-alive|transfer-encoding)$/i.test(name)) headers.append(name, value)
        }
        const status = incoming.statusCode ?? 502
        const isEmpty = request.method === 'HEAD' || [204, 205, 304].includes(status)
        if (isEmpty) incoming.resume()
        const body = isEmpty ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>)
        resolve(new Response(body, { status, headers }))
      },
    )
    outgoing.on('error', reject)
    request.arrayBuffer().then((body) => outgoing.end(Buffer.from(body)), reject)
  })
}
