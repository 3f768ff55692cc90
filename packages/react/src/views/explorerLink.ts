import type { Network } from '@latchkey/core/adapter'

/** A link to the block explorer of a network. */
export interface ExplorerLink {
  readonly href: string
  /** The name of the explorer, such as `Etherscan`. */
  readonly name: string
}

/**
 * Returns a link to an address, transaction or token in the network's block explorer, or `undefined` if the network has none.
 * Parameters of the explorer's URL, such as a cluster, are kept.
 */
export function explorerLink(
  network: Network | undefined,
  kind: 'address' | 'tx' | 'token',
  id: string,
): ExplorerLink | undefined {
  const explorer = network?.blockExplorers?.default
  if (!explorer || !/^https?:\/\/[^/@\\]+(\/|$)/i.test(explorer.url) || !URL.canParse(explorer.url)) return undefined
  const url = new URL(explorer.url)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${kind}/${encodeURIComponent(id)}`
  return { href: url.href, name: explorer.name }
}
