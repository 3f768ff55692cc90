/** The client's identity, sent with every request. */
export interface Identity {
  /** The ID of the project that the page belongs to. Omitted from the URL if `undefined`. */
  readonly projectId?: string | undefined
  /** The SDK type. */
  readonly st?: string | undefined
  /** The SDK version. */
  readonly sv?: string | undefined
}

/** A query value. `undefined`, `null` and empty lists are left out of the URL. */
export type QueryValue = string | number | boolean | readonly string[] | null | undefined

/** The values used to build a URL from a route. */
export interface UrlParameters {
  /** The values for the `:name` parts of the path. Values are percent-encoded. A missing value becomes an empty string. */
  readonly params?: Readonly<Record<string, string>> | undefined
  /** The query parameters, keyed by name. Each value is a `QueryValue`. A list becomes a single value joined with commas. */
  readonly query?: object | undefined
  /** The client's identity. Overrides query parameters with the same name. */
  readonly identity?: Identity | undefined
}

/** Returns the path and query string for a route, with the path parameters filled in and the client's identity added. */
export function pathOf(route: { readonly path: string }, { params, query, identity }: UrlParameters = {}): string {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params?.[name] ?? ''))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, ...identity } as Record<string, QueryValue>)) {
    const nothing = value === undefined || value === null || (Array.isArray(value) && value.length === 0)
    if (!nothing) search.set(name, String(value))
  }
  const text = search.toString()
  return text ? `${path}?${text}` : path
}

/**
 * Returns the URL of a route on a server. `base` can have a path and a trailing slash.
 *
 * @example
 * urlOf('https://connect.example', getWallets, { query: { page: 2 }, identity: { projectId: 'shop' } })
 * // 'https://connect.example/getWallets?page=2&projectId=shop'
 */
export function urlOf(base: string, route: { readonly path: string }, params?: UrlParameters): string {
  return base.replace(/\/+$/, '') + pathOf(route, params)
}
