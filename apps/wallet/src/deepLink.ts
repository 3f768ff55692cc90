/** What a link to this wallet asks for. */
export type DeepLink =
  /** A pairing to take up. */
  | { readonly to: 'pair'; readonly uri: string }
  /** The return trip: a request that waits. */
  | { readonly to: 'request'; readonly topic: string; readonly id: number }

/**
 * What stands behind `#` of a link. The pairing's secret travels there and nowhere else: what follows `#` is sent to no server.
 * `#/wc?uri=…` pairs, `#/wc?requestId=…&sessionTopic=…` comes back to a request.
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

/** Takes the link out of the address bar and of the history, and tells what it asks for. */
export function takeDeepLink({ location, history }: Pick<Window, 'location' | 'history'>): DeepLink | undefined {
  const link = parseDeepLink(location.hash)
  if (location.hash !== '') history.replaceState(null, '', location.pathname)
  return link
}
