import type { Caller, Log } from '../serverDependencies.ts'
import { createClientAddress, type TrustedProxies } from './clientAddress.ts'

/** A function that returns the client that sent a request, with the address and request ID that a trusted proxy set. */
export type CallerBehindProxy = (request: { readonly headers: Pick<Headers, 'get'> }, peer: Caller) => Caller

/** Creates a function that finds the client that sent a request. Only headers from trusted proxies are read. */
export function createCallerBehindProxy({
  header,
  proxies,
  log,
}: {
  header: string | undefined
  proxies: TrustedProxies
  log: Log
}): CallerBehindProxy {
  const addressOfClient = createClientAddress({ header, proxies, log })
  return ({ headers }, peer) => {
    const { address, isTrusted } = addressOfClient(headers, peer.address)
    const id = isTrusted ? headers.get('x-request-id') : null
    return { ...peer, address, requestId: id !== null && /^[\w.-]{8,128}$/.test(id) ? id : undefined }
  }
}
