/** The action that a deep link requests. */
export type DeepLink =
  /** Pairs with a page. */
  | { readonly to: 'pair'; readonly uri: string }
  /** Opens a pending request, when the user returns from the page. */
  | { readonly to: 'request'; readonly topic: string; readonly id: number }

/**
 * Parses the fragment of a deep link: `#/wc?uri=…` pairs, `#/wc?requestId=…&sessionTopic=…` opens a request. The pairing secret
 * is passed in the fragment because browsers never send it to a server.
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

/** Parses the deep link and removes it from the address bar and the history. */
export function takeDeepLink({ location, history }: Pick<Window, 'location' | 'history'>): DeepLink | undefined {
  const link = parseDeepLink(location.hash)
  if (location.hash !== '') history.replaceState(null, '', location.pathname)
  return link
}
