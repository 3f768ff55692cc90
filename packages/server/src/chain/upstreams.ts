import { textWithin } from '../body.ts'
import type { Metrics } from '../metrics.ts'
import type { ChainAnswer, Clock, Log } from '../ports.ts'

/** The nodes of each chain, the preferred one first. */
export type Upstreams = ReadonlyMap<string, readonly string[]>

/** How long and how much an upstream may take. */
export interface UpstreamLimits {
  timeoutMs: number
  responseBytes: number
}

const restMs = 10_000
const triesMax = 5
// The caller's fault, in which every other node would agree; all else is worth another node.
const final = new Set([400, 405, 413, 415, 422])

/** Sends a body to the first node of a chain that gives a JSON answer in time. A node that failed rests for ten seconds. */
export function createUpstreams(wiring: {
  upstreams: Upstreams
  limits: UpstreamLimits
  fetch: typeof fetch
  metrics: Metrics
  log: Log
  clock: Clock
}): (chainId: string, body: string, signal: AbortSignal) => Promise<ChainAnswer> {
  const { upstreams, limits, metrics, log, clock } = wiring
  const restsUntil = new Map<string, number>()

  async function ask(url: string, body: string, signal: AbortSignal): Promise<string | undefined> {
    const response = await wiring.fetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      // An upstream that could redirect could send us anywhere in the operator's network.
      redirect: 'error',
      signal,
    })
    if (!response.ok && !final.has(response.status)) {
      await response.body?.cancel()
      return undefined
    }
    const text = await textWithin(response, limits.responseBytes)
    return text !== undefined && isJson(text) ? text : undefined
  }

  return async (chainId, body, signal) => {
    const urls = upstreams.get(chainId)
    if (!urls) return { kind: 'unsupported' }
    const rested = (url: string) => (restsUntil.get(url) ?? 0) <= clock()
    const order = [...urls.filter(rested), ...urls.filter((url) => !rested(url))].slice(0, triesMax)
    for (const url of order) {
      if (signal.aborted) break
      const position = String(urls.indexOf(url))
      const limit = AbortSignal.timeout(limits.timeoutMs)
      const answer = await ask(url, body, AbortSignal.any([signal, limit])).catch(() => undefined)
      if (answer !== undefined) {
        restsUntil.delete(url)
        metrics.count('latchkey_rpc_upstream_total', { chain: chainId, upstream: position, outcome: 'answered' })
        return { kind: 'answered', body: answer }
      }
      if (signal.aborted) break
      restsUntil.set(url, clock() + restMs)
      const outcome = limit.aborted ? 'timeout' : 'failed'
      metrics.count('latchkey_rpc_upstream_total', { chain: chainId, upstream: position, outcome })
      log('warn', 'an upstream node did not answer', { chain: chainId, upstream: position, outcome })
    }
    return { kind: 'unavailable' }
  }
}

function isJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}
