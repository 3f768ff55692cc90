/** The default maximum size of a response, in bytes. */
export const maxAnswerBytes = 5_000_000
/** The maximum size of a node's response, in bytes. The Latchkey server allows 10 MiB. */
export const maxRpcAnswerBytes = 10_500_000
/** The timeout for a node's complete response. The Latchkey server can try a second node after 10 seconds. */
export const rpcAnswerMs = 60_000

/**
 * Reads a response body. Resolves to `undefined` as soon as the body exceeds `maxBytes`, and rejects if the connection drops. To
 * set a timeout, use the request's `signal`, which also applies to the body.
 *
 * @example
 * const response = await fetch(url, { signal: AbortSignal.timeout(10_000) })
 * const body = await readBody(response, { maxBytes: 1_000_000 })
 */
export async function readBody(
  { body }: Pick<Response, 'body'>,
  { maxBytes = maxAnswerBytes, type = '' }: { readonly maxBytes?: number; readonly type?: string } = {},
): Promise<Blob | undefined> {
  const reader = body?.getReader()
  const parts: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {}
    if (done || !value) return new Blob(parts, { type })
    bytes += value.byteLength
    if (bytes > maxBytes) {
      void reader?.cancel().catch(() => undefined)
      return undefined
    }
    parts.push(value)
  }
}

/** Reads a response body as JSON. Resolves to `undefined` if the body is invalid, incomplete or larger than `maxBytes`. */
export async function readJsonBody(answer: Pick<Response, 'body'>, maxBytes?: number): Promise<unknown> {
  try {
    const body = await readBody(answer, maxBytes === undefined ? {} : { maxBytes })
    return body && (JSON.parse(await body.text()) as unknown)
  } catch {
    return undefined
  }
}
