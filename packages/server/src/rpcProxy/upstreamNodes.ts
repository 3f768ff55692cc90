import { readLimitedText } from '../http/readLimitedBody.ts'
import type { Metrics } from '../monitoring/metrics.ts'
import { type CircuitBreaker, createCircuitBreaker } from '../resilience/circuitBreaker.ts'
import { createSemaphore, type Semaphore } from '../resilience/semaphore.ts'
import type { Clock, Log, RpcProxy, RpcResponse } from '../serverDependencies.ts'
import { callHeaders, type PostToNode } from './postToNode.ts'

/** The node URLs for each chain, in order of preference. */
export type Upstreams = ReadonlyMap<string, readonly string[]>

/** The time and memory limits for calls to upstream nodes. */
export interface UpstreamLimits {
  /** The timeout for each node, in milliseconds. After a timeout, the next node is tried. */
  timeoutMs: number
  /** The maximum size of a response, in bytes. A larger response is treated as a failure of the node. */
  responseBytes: number
  /** The maximum number of concurrent calls per chain. Twice as many calls can be queued. Defaults to 128. */
  calls?: number
  /**
   * The maximum total size of concurrent calls and responses per chain, in bytes. Defaults to 32 MiB or twice the maximum
   * response size, whichever is larger.
   */
  bytes?: number
}

const restMs = 10_000
const openMs = 5_000
const maxFailures = 5
const triesMax = 5
const maxCalls = 128
const chainIdCall = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'
const maxBytes = 33_554_432
// The statuses of errors that the caller caused and every node would report. After any other error status, the next node is
// tried.
const final = new Set([400, 405, 413, 415, 422])

/** The state that all calls to a chain share. */
interface Channel {
  readonly slots: Semaphore
  /** The number of bytes of calls and responses that are currently in memory. */
  held: number
}

/**
 * Creates a function that sends a request body to a chain's nodes in turn, until a node responds in time with a JSON-RPC
 * response. After a failure, a node is tried last for ten seconds. After five consecutive failures, a node is not tried for
 * five seconds, even if it is the only node, so that callers are rejected immediately. The number of concurrent and queued
 * calls, and their total size, are limited per chain. Calls are sent with `post`, or with `fetch` if `post` is not specified.
 * In Node, `createHttpPost()` takes much less time than `fetch`.
 *
 * With `verifiesChains`, an EVM node is asked for its chain ID before its first call, and again after a failure. A node of a
 * different chain is not used, because its balances and prices would look valid.
 */
export function createUpstreams(wiring: {
  upstreams: Upstreams
  limits: UpstreamLimits
  fetch: typeof fetch
  post?: PostToNode
  metrics: Metrics
  log: Log
  clock: Clock
  verifiesChains?: boolean
}): RpcProxy['send'] {
  const { upstreams, limits, metrics, log, clock, verifiesChains = false, post = postWithFetch(wiring.fetch) } = wiring
  const { calls = maxCalls, bytes = Math.max(maxBytes, 2 * limits.responseBytes) } = limits
  const restsUntil = new Map<string, number>()
  const breakers = new Map<string, CircuitBreaker>()
  const verified = new Set<string>()
  const channels = new Map<string, Channel>()
  for (const [chainId, urls] of upstreams) {
    channels.set(chainId, { slots: createSemaphore({ calls, waiting: 2 * calls }), held: 0 })
    for (const url of urls) breakers.set(url, createCircuitBreaker({ failures: maxFailures, openMs, clock }))
  }

  async function ask(
    url: string,
    body: string,
    { signal, take }: { signal: AbortSignal; take: (bytes: number) => void },
  ): Promise<string | undefined> {
    const text = await post(url, body, { signal, maxBytes: limits.responseBytes, onBytes: take, isAnswer })
    return text !== undefined && isResponse(text) ? text : undefined
  }

  /**
   * Resolves to whether a node serves the chain, or to `undefined` if it does not respond. A node that does not report its
   * chain is trusted.
   */
  async function isOnChain(
    chainId: string,
    url: string,
    options: { signal: AbortSignal; take: (bytes: number) => void },
  ): Promise<boolean | undefined> {
    const [namespace, reference = ''] = chainId.split(':')
    if (!verifiesChains || namespace !== 'eip155' || verified.has(`${chainId} ${url}`)) return true
    const text = await ask(url, chainIdCall, options)
    if (text === undefined) return undefined
    const { result } = JSON.parse(text) as { result?: unknown }
    const isOther =
      typeof result === 'string' && /^0x[0-9a-f]{1,64}$/i.test(result) && BigInt(result) !== BigInt(reference)
    if (!isOther) verified.add(`${chainId} ${url}`)
    return !isOther
  }

  async function askInTurn(
    chainId: string,
    body: string,
    { signal, take }: { signal: AbortSignal; take: (bytes: number) => void },
  ): Promise<RpcResponse> {
    const urls = upstreams.get(chainId) ?? []
    const rested = (url: string) => (restsUntil.get(url) ?? 0) <= clock()
    const order = [...urls.filter(rested), ...urls.filter((url) => !rested(url))].slice(0, triesMax)
    for (const url of order) {
      if (signal.aborted) break
      const breaker = breakers.get(url)
      if (!breaker?.canCall()) continue
      const position = String(urls.indexOf(url))
      const deadline = startDeadline(signal, limits.timeoutMs)
      let refused: unknown
      const taking = (bytes: number): void => {
        try {
          take(bytes)
        } catch (error) {
          refused = error
          throw error
        }
      }
      const options = { signal: deadline.signal, take: taking }
      let isWrongChain = false
      const askNode = async (): Promise<string | undefined> => {
        const isRight = await isOnChain(chainId, url, options)
        isWrongChain = isRight === false
        return isRight ? ask(url, body, options) : undefined
      }
      const answer = await askNode()
        .catch(() => undefined)
        .finally(deadline.end)
      if (answer !== undefined) {
        restsUntil.delete(url)
        breaker.succeeded()
        metrics.count('latchkey_rpc_upstream_total', { chain: chainId, upstream: position, outcome: 'answered' })
        return { kind: 'answered', body: answer }
      }
      // If the client disconnected or exceeded a limit, the outcome does not indicate whether the node is available.
      if (signal.aborted || refused !== undefined) breaker.abandoned()
      if (refused !== undefined) throw refused
      if (signal.aborted) break
      restsUntil.set(url, clock() + restMs)
      breaker.failed()
      verified.delete(`${chainId} ${url}`)
      const outcome = isWrongChain ? 'wrong-chain' : deadline.hasPassed() ? 'timeout' : 'failed'
      metrics.count('latchkey_rpc_upstream_total', { chain: chainId, upstream: position, outcome })
      log('warn', 'a call to an upstream node failed', { chain: chainId, upstream: position, outcome })
    }
    const waits = urls.map((url) => breakers.get(url)?.waitMs() ?? 0)
    return { kind: 'unavailable', seconds: Math.max(1, Math.ceil(Math.min(...waits) / 1000)) }
  }

  return async (chainId, body, signal, charge) => {
    const channel = channels.get(chainId)
    if (!channel) return { kind: 'unsupported' }
    if (channel.held + body.length > bytes) return busy(chainId)
    let held = body.length
    channel.held += held
    try {
      const leave = await channel.slots.enter(signal)
      if (!leave) return busy(chainId)
      try {
        return await askInTurn(chainId, body, {
          signal,
          take(more) {
            if (channel.held + more > bytes) throw new TooMuchError()
            charge?.bytes?.(more)
            channel.held += more
            held += more
          },
        })
      } finally {
        leave()
      }
    } catch (error) {
      if (error instanceof TooMuchError) return busy(chainId)
      throw error
    } finally {
      channel.held -= held
    }
  }

  function busy(chainId: string): RpcResponse {
    metrics.count('latchkey_rpc_upstream_total', { chain: chainId, upstream: 'none', outcome: 'busy' })
    return { kind: 'unavailable', seconds: 1 }
  }
}

/**
 * Starts the deadline for one call. The returned signal is also aborted when `signal` is. `AbortSignal.timeout` is not used,
 * because its timer would stay in memory until the deadline even if the call has ended.
 */
function startDeadline(
  signal: AbortSignal,
  ms: number,
): { readonly signal: AbortSignal; hasPassed(): boolean; end(): void } {
  const controller = new AbortController()
  let hasPassed = false
  const abort = (): void => controller.abort(signal.reason)
  const timer = setTimeout(() => {
    hasPassed = true
    controller.abort(new DOMException('The node did not respond in time', 'TimeoutError'))
  }, ms)
  timer.unref()
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  return {
    signal: controller.signal,
    hasPassed: () => hasPassed,
    end() {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    },
  }
}

function isAnswer(status: number): boolean {
  return (status >= 200 && status < 300) || final.has(status)
}

function postWithFetch(send: typeof fetch): PostToNode {
  return async (url, body, { signal, maxBytes, onBytes, isAnswer }) => {
    // Redirects are not followed, because they could point anywhere in the operator's network.
    const response = await send(url, { method: 'POST', body, headers: callHeaders, redirect: 'error', signal })
    if (isAnswer(response.status)) return readLimitedText(response, maxBytes, onBytes)
    await response.body?.cancel()
    return undefined
  }
}

class TooMuchError extends Error {}

/** Whether text is a JSON-RPC response, or a list of them. Anything else comes from a proxy in front of the node. */
function isResponse(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value.every(isOneResponse) : isOneResponse(value)
  } catch {
    return false
  }
}

function isOneResponse(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ('result' in value || 'error' in value)
}
