/** The largest answer that is read where nothing else is said, in bytes. */
export const maxAnswerBytes = 5_000_000
/** The same for an answer of a node: our server lets 10 MiB of one through. */
export const maxRpcAnswerBytes = 10_500_000
/** How long a node may take to answer in whole: our server may ask a second one after 10 seconds. */
export const rpcAnswerMs = 60_000

/**
 * The body of an answer; `undefined` where it is larger than `maxBytes`, of which no more is read then. Rejects where the answer breaks off.
 * The time limit of the request has to be that of its `signal`, which ends the body, too.
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

/** The JSON of an answer; `undefined` where it is none, is larger than `maxBytes` or breaks off. */
export async function readJsonBody(answer: Pick<Response, 'body'>, maxBytes?: number): Promise<unknown> {
  try {
    const body = await readBody(answer, maxBytes === undefined ? {} : { maxBytes })
    return body && (JSON.parse(await body.text()) as unknown)
  } catch {
    return undefined
  }
}
