import { Agent as HttpAgent, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'

/** The headers of every call to a node. */
export const callHeaders = { 'content-type': 'application/json', accept: 'application/json' } as const

/**
 * Sends a body to a node. Resolves to the text of the response, or to `undefined` if `isAnswer` rejects its status or if it is
 * longer than `maxBytes`. Calls `onBytes` with the size of each chunk. If `onBytes` throws, rejects with its error. Redirects are
 * not followed.
 */
export type PostToNode = (
  url: string,
  body: string,
  options: {
    readonly signal: AbortSignal
    readonly maxBytes: number
    readonly onBytes: (bytes: number) => void
    readonly isAnswer: (status: number) => boolean
  },
) => Promise<string | undefined>

/** How long a connection to a node stays open without a call, in milliseconds. The same as for `fetch` in Node. */
const idleMs = 4_000

/**
 * Creates a function that uses `node:http` to send calls over persistent connections. `fetch` takes several times as long for a
 * short call, because of its streams. Resolves to `undefined` if a response is compressed, because `node:http` does not
 * decompress it.
 */
export function createHttpPost(): PostToNode {
  const options = { keepAlive: true, scheduling: 'lifo', timeout: idleMs } as const
  const agents = { 'http:': new HttpAgent(options), 'https:': new HttpsAgent(options) }

  const send = (url: string, body: string) => {
    const parsed = new URL(url)
    // `fetch` rejects such URLs, too.
    if (parsed.username || parsed.password) throw new TypeError('The URL of a node cannot contain credentials')
    const headers = { ...callHeaders, 'accept-encoding': 'identity', 'content-length': Buffer.byteLength(body) }
    return parsed.protocol === 'https:'
      ? requestHttps(parsed, { method: 'POST', headers, agent: agents['https:'] })
      : requestHttp(parsed, { method: 'POST', headers, agent: agents['http:'] })
  }

  return (url, body, { signal, maxBytes, onBytes, isAnswer }) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const request = send(url, body)
      const abort = (): void => fail(signal.reason)
      let isOver = false
      // Later events are ignored, because the connection can already belong to the next call.
      const end = (settle: () => void): void => {
        if (isOver) return
        isOver = true
        signal.removeEventListener('abort', abort)
        settle()
      }
      const fail = (error: unknown): void =>
        end(() => {
          reject(error)
          request.destroy()
        })
      const succeed = (text: string | undefined): void =>
        end(() => {
          resolve(text)
          // The rest of the response is not read.
          if (text === undefined) request.destroy()
        })
      signal.addEventListener('abort', abort, { once: true })
      request.on('error', fail)
      // Has no effect if the response is complete.
      request.on('close', () => fail(new Error('The node closed the connection')))
      request.on('response', (response) => {
        const { statusCode = 0, headers } = response
        response.on('error', fail)
        const encoding = headers['content-encoding'] ?? 'identity'
        const declared = Number(headers['content-length'] ?? 0)
        if (!isAnswer(statusCode) || encoding !== 'identity' || declared > maxBytes) return succeed(undefined)
        const chunks: Buffer[] = []
        let size = 0
        response.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size > maxBytes) return succeed(undefined)
          try {
            onBytes(chunk.length)
          } catch (error) {
            return fail(error)
          }
          chunks.push(chunk)
        })
        response.on('end', () => succeed(Buffer.concat(chunks, size).toString('utf8')))
      })
      request.end(body)
    })
}
