import type { PublicFetch } from '../../http/publicFetch.ts'
import type { CcipRequest } from '../nodeClient.ts'

/** The maximum number of gateways that are tried for a request. */
const maxGateways = 4
/** The maximum number of requests for one name. A resolver can refer to gateways again in its callback. */
const maxRequests = 8
const maxBytes = 262_144
const timeoutMs = 5_000
/** The time limit for all requests for one name, in milliseconds. */
const maxMs = 12_000

/** The gateways of name resolvers (ERC-3668). */
export interface CcipGateways {
  readonly request: CcipRequest
  /** Whether a request failed, so that the records that were read are incomplete. */
  hasFailed(): boolean
}

/**
 * Creates the function that sends requests to the gateways of name resolvers, for one name. Resolvers choose the URLs, so only
 * public https servers are contacted, a few times, and for a limited time.
 */
export function createCcipGateways({
  publicFetch,
  signal,
}: {
  publicFetch: PublicFetch
  signal: AbortSignal
}): CcipGateways {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(maxMs)])
  let requests = 0
  let hasFailed = false
  return {
    hasFailed: () => hasFailed,
    async request({ data, sender, urls }) {
      for (const template of urls.slice(0, maxGateways)) {
        requests += 1
        if (requests > maxRequests || limit.aborted) break
        const url = template.replaceAll('{sender}', sender.toLowerCase()).replaceAll('{data}', data)
        // A gateway whose URL contains the data receives a GET request.
        const body = template.includes('{data}') ? undefined : JSON.stringify({ data, sender })
        try {
          const text = await publicFetch(url, { body, maxBytes, timeoutMs, signal: limit })
          const json = JSON.parse(text) as { data?: unknown } | null
          if (typeof json?.data === 'string' && /^0x([0-9a-fA-F]{2})*$/.test(json.data))
            return json.data as `0x${string}`
        } catch {
          signal.throwIfAborted()
        }
      }
      hasFailed = true
      throw new Error('No gateway responded')
    },
  }
}
