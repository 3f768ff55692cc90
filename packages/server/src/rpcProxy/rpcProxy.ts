import { type RpcAnswer, type RpcRequest, rpcRequest } from '@latchkey/protocol/http/publicRoutes'
import * as v from 'valibot'
import { HttpError } from '../errors/httpError.ts'
import type { RpcCharge, RpcProxy, RpcResponse } from '../serverDependencies.ts'
import { isMethodAllowed } from './allowedMethods.ts'
import type { Upstreams } from './upstreamNodes.ts'

/** The policy for what pages can send to the proxy. */
export interface RpcProxyPolicy {
  /** The maximum number of calls in a batch. */
  batchMax: number
  /** Methods allowed in addition to the built-in list. A name that ends with `*` matches every method with that prefix. */
  extraMethods: readonly string[]
}

/**
 * Creates the RPC proxy. The proxy answers some methods directly, rejects methods that are not allowed, and forwards all others.
 *
 * Forwarded calls are serialized again from the parsed values. Otherwise, a node that treats `Method` as `method`, or that uses
 * the first of two duplicate keys, could see a different call from the one that was checked.
 *
 * @example
 * const upstreams = new Map([['eip155:1', ['https://node.example']]])
 * const limits = { timeoutMs: 10_000, responseBytes: 10_485_760 }
 * const send = createUpstreams({ upstreams, limits, fetch, metrics, log, clock: () => performance.now() })
 * const chain = createRpcProxy({ upstreams, policy: { batchMax: 100, extraMethods: [] }, send })
 */
export function createRpcProxy({
  upstreams,
  policy,
  send,
}: {
  upstreams: Upstreams
  policy: RpcProxyPolicy
  send: RpcProxy['send']
}): RpcProxy {
  function own(chainId: string, request: RpcRequest): RpcAnswer | undefined {
    const [namespace = '', reference = ''] = chainId.split(':')
    const answer = { jsonrpc: '2.0' as const, id: request.id ?? null }
    if (!isMethodAllowed({ namespace, method: request.method, extra: policy.extraMethods })) {
      return { ...answer, error: { code: -32601, message: 'The method is not available here' } }
    }
    if (namespace !== 'eip155') return undefined
    if (request.method === 'eth_chainId') return { ...answer, result: `0x${BigInt(reference).toString(16)}` }
    if (request.method === 'net_version') return { ...answer, result: reference }
    if (request.method === 'net_listening') return { ...answer, result: true }
    return undefined
  }

  async function sendBatch(
    chainId: string,
    request: readonly RpcRequest[],
    signal: AbortSignal,
    charge: RpcCharge | undefined,
  ): Promise<RpcResponse> {
    const known = request.map((item) => own(chainId, item))
    const rest = request.filter((_, at) => known[at] === undefined)
    if (rest.length === request.length) return send(chainId, written(request), signal, charge)
    let answers: unknown[] = known.filter((answer) => answer !== undefined)
    if (rest.length > 0) {
      const answered = await send(chainId, written(rest), signal, charge)
      if (answered.kind !== 'answered') return answered
      const more: unknown = JSON.parse(answered.body)
      answers = answers.concat(more)
    }
    return { kind: 'answered', body: JSON.stringify(answers) }
  }

  const supported = [...upstreams.keys()]

  return {
    supported: () => supported,
    send: async (chainId, body, signal, charge) => {
      if (!upstreams.has(chainId)) return { kind: 'unsupported' }
      const request = parse(body, policy.batchMax)
      await charge?.calls?.(Array.isArray(request) ? request.length : 1)
      if (Array.isArray(request)) return sendBatch(chainId, request, signal, charge)
      const known = own(chainId, request)
      if (known) return { kind: 'answered', body: JSON.stringify(known) }
      return send(chainId, written(request), signal, charge)
    },
  }
}

/** Serializes a request for a node. Throws a 400 error for deeply nested values, which can be parsed but not serialized. */
function written(request: RpcRequest | readonly RpcRequest[]): string {
  try {
    return JSON.stringify(request)
  } catch {
    throw new HttpError(400, 'body', 'The body is nested too deeply')
  }
}

const bodySchema = v.union([rpcRequest, v.array(rpcRequest)])

function parse(body: string, batchMax: number): RpcRequest | RpcRequest[] {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    throw new HttpError(400, 'body', 'The body is not JSON')
  }
  if (Array.isArray(json) && (json.length === 0 || json.length > batchMax)) {
    throw new HttpError(400, 'body', `A batch must contain 1 to ${batchMax} calls`)
  }
  const parsed = v.safeParse(bodySchema, json)
  if (!parsed.success) throw new HttpError(400, 'body', 'The body is not a JSON-RPC 2.0 call')
  return parsed.output
}
