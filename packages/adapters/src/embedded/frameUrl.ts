import type { Network } from '@latchkey/core/adapter'
import { frameSdkVersion } from '@latchkey/protocol/specificationConstants'
import type { EmbeddedOptions } from './embeddedOptions.ts'

/** Returns the frame's URL with its parameters in protocol order. */
export function frameUrl({
  options,
  network,
  projectId,
}: {
  readonly options: Pick<EmbeddedOptions, 'url' | 'locale'>
  readonly network: Network | undefined
  readonly projectId: string
}): string {
  const url = new URL(options.url)
  if (url.pathname === '/') url.pathname = '/sdk'
  const rpcUrl = rpcUrlOf(network)
  url.searchParams.set('projectId', projectId)
  url.searchParams.set('chainId', network?.caipNetworkId ?? 'eip155:1')
  url.searchParams.set('version', frameSdkVersion)
  // Disable logging, because a frame that logs messages would log one-time codes.
  url.searchParams.set('enableLogger', 'false')
  if (rpcUrl !== undefined) url.searchParams.set('rpcUrl', rpcUrl)
  // `lang` is not part of the protocol, so it comes last. The frame uses it if it is one of the user's browser languages.
  const language = options.locale ?? globalThis.document?.documentElement.lang
  if (language) url.searchParams.set('lang', language)
  return url.href
}

/** Returns the network's first default RPC URL, which is a hint for the frame. */
export function rpcUrlOf(network: Network | undefined): string | undefined {
  return network?.rpcUrls.default?.http[0]
}
