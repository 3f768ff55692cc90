import { parseJson } from '@latchkey/protocol/parseJson'
import * as v from 'valibot'
import { HttpError } from '../errors/httpError.ts'
import type { RpcProxy } from '../serverDependencies.ts'
import { NodeCallError } from './nodeClient.ts'

/** A JSON-RPC call. */
export interface NodeCall {
  readonly method: string
  readonly params: readonly unknown[]
}

/**
 * Sends calls to a node of a chain in batches. Resolves to their results in order, which are not validated, with a
 * `NodeCallError` for each call that the node rejected.
 *
 * @throws {HttpError} 400 if the chain has no node, 503 if no node responds.
 */
export type CallNode = (chainId: string, calls: readonly NodeCall[], signal: AbortSignal) => Promise<readonly unknown[]>

/** The maximum number of calls in a batch. Public nodes limit the size of batches. */
const batchCalls = 50
/** The number of concurrent calls to a node that does not accept batches. */
const singleCalls = 8

const responseSchema = v.object({
  id: v.union([v.number(), v.string(), v.null()]),
  result: v.optional(v.unknown()),
  error: v.nullish(v.object({ code: v.number(), message: v.optional(v.string(), ''), data: v.optional(v.unknown()) })),
})

/**
 * Creates the function that sends batches. A page of a history needs up to two hundred calls, and each request to a node takes
 * one of the chain's slots.
 *
 * @param send The function of `createUpstreams`.
 *
 * @example
 * const callNode = createNodeBatch(send)
 * const [head] = await callNode('eip155:1', [{ method: 'eth_blockNumber', params: [] }], signal)
 */
export function createNodeBatch(send: RpcProxy['send']): CallNode {
  async function post(chainId: string, body: unknown, signal: AbortSignal): Promise<unknown> {
    const response = await send(chainId, JSON.stringify(body), signal)
    if (response.kind === 'unsupported') throw new HttpError(400, 'chainId', `The chain ${chainId} is not supported`)
    if (response.kind === 'unavailable') throw unavailable(response.seconds)
    try {
      return parseJson(response.body)
    } catch {
      throw unavailable()
    }
  }

  async function callSingly(chainId: string, calls: readonly NodeCall[], signal: AbortSignal): Promise<unknown[]> {
    const results: unknown[] = []
    for (let at = 0; at < calls.length; at += singleCalls) {
      const some = calls.slice(at, at + singleCalls).map((call) => callAll(chainId, [call], signal))
      results.push(...(await Promise.all(some)).flat())
    }
    return results
  }

  async function callAll(chainId: string, calls: readonly NodeCall[], signal: AbortSignal): Promise<unknown[]> {
    const requests = calls.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }))
    const isSingle = calls.length === 1
    const json = await post(chainId, isSingle ? requests[0] : requests, signal)
    if (!isSingle && !Array.isArray(json)) return callSingly(chainId, calls, signal)
    const parsed = v.safeParse(v.pipe(v.array(responseSchema), v.maxLength(calls.length)), isSingle ? [json] : json)
    if (!parsed.success) throw unavailable()
    const byId = new Map(parsed.output.map((response) => [Number(response.id ?? 0), response]))
    return calls.map((_, id) => {
      const response = byId.get(id)
      if (!response) throw unavailable()
      return response.error ? new NodeCallError(response.error) : response.result
    })
  }

  return async (chainId, calls, signal) => {
    const batches = []
    for (let at = 0; at < calls.length; at += batchCalls)
      batches.push(callAll(chainId, calls.slice(at, at + batchCalls), signal))
    return (await Promise.all(batches)).flat()
  }
}

/**
 * Returns the result of a call, parsed with a schema.
 *
 * @throws {HttpError} 503 if the node rejected the call, or if the result does not match.
 */
export function nodeResult<Output>(schema: v.GenericSchema<unknown, Output>, result: unknown): Output {
  const parsed = v.safeParse(schema, result)
  if (parsed.success) return parsed.output
  throw unavailable()
}

/** Returns the error for a node that did not respond or returned an invalid result. */
export function unavailable(seconds = 1): HttpError {
  return new HttpError(503, 'chainId', 'No node of this chain returned a valid response: try again', seconds)
}
