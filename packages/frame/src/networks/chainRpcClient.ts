import type { ChainId } from '@latchkey/protocol/caip'
import { keysRpcPath } from '@latchkey/protocol/http/keys'
import { maxRpcAnswerBytes, readJsonBody, rpcAnswerMs } from '@latchkey/protocol/http/readResponseBody'
import { read } from '@latchkey/protocol/parseWithSchema'
import * as v from 'valibot'
import { PublicError } from '../publicError.ts'

/** A function that calls a network's node through this origin's server, and never through a URL from the page. */
export interface ChainRpcClient {
  <Result = unknown>(chain: ChainId, method: string, params: unknown): Promise<Result>
}

const responseSchema = v.object({
  result: v.optional(v.unknown()),
  error: v.optional(v.object({ message: v.string(), data: v.optional(v.unknown()) })),
})

/** Creates a JSON-RPC client over `fetch`. @throws PublicError if the network is unreachable or returns an error. */
export function createChainRpcClient({ fetch }: { readonly fetch: typeof globalThis.fetch }): ChainRpcClient {
  return async <Result>(chain: ChainId, method: string, params: unknown) => {
    const response = await fetch(`${keysRpcPath}?chainId=${encodeURIComponent(chain)}`, {
      method: 'POST',
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'error',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: params ?? [] }),
      signal: AbortSignal.timeout(rpcAnswerMs),
    }).catch((cause: unknown) => {
      throw new PublicError('The network cannot be reached', { cause })
    })
    const body = read(responseSchema, await readJsonBody(response, maxRpcAnswerBytes))
    if (body?.error) throw new PublicError(body.error.message.slice(0, 300))
    if (!response.ok || !body) throw new PublicError('The network cannot be reached')
    // The caller knows the result type of the method, and validates results that are displayed or signed.
    return body.result as Result
  }
}
