/** A parsed deep link. */
export type DeepLink =
  /** Pairs with a page. */
  | { readonly to: 'pair'; readonly uri: string }
  /** Opens a pending request that a page has sent. */
  | { readonly to: 'request'; readonly topic: string; readonly id: number }

/**
 * Parses a deep link's fragment: `#/wc?uri=…` pairs with a page, and `#/wc?requestId=…&sessionTopic=…` opens a request. Links
 * pass the pairing secret in the fragment because browsers never send the fragment to a server.
 */
export function parseDeepLink(hash: string): DeepLink | undefined {
  const found = /^#\/wc\?(.*)$/s.exec(hash)
  if (!found) return undefined
  const query = new URLSearchParams(found[1])
  const uri = query.get('uri')
  if (uri) return { to: 'pair', uri }
  const [id, topic] = [query.get('requestId'), query.get('sessionTopic')]
  return id && topic && /^\d{1,16}$/.test(id) ? { to: 'request', topic, id: Number(id) } : undefined
}

/** Parses the deep link in the address bar, then removes it from the address bar and the history. */
export function takeDeepLink({ location, history }: Pick<Window, 'location' | 'history'>): DeepLink | undefined {
  const link = parseDeepLink(location.hash)
  if (location.hash !== '') history.replaceState(null, '', location.pathname)
  return link
}
