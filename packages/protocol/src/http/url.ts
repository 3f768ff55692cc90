/** The client's identity, sent with every request. */
export interface Identity {
  /** The ID of the project that the page belongs to. Omitted from the URL if `undefined`. */
  readonly projectId?: string | undefined
  /** SDK type. */
  readonly st?: string | undefined
  /** SDK version. */
  readonly sv?: string | undefined
}

/** A query value. `undefined`, `null` and empty lists are omitted. */
export type QueryValue = string | number | boolean | readonly string[] | null | undefined

/** The values to build a URL from a route. */
export interface UrlParameters {
  /** Values for the `:name` parts of the path. They are percent-encoded; a missing value becomes an empty text. */
  readonly params?: Readonly<Record<string, string>> | undefined
  /** The query by name, with a `QueryValue` for each. A list becomes a single value, joined with commas. */
  readonly query?: object | undefined
  /** The client's identity, which overrides query values of the same name. */
  readonly identity?: Identity | undefined
}

/** Builds the path and query of a route: fills in the path parameters, joins lists with commas, and adds `projectId`, `st` and `sv`. */
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
 * Builds the URL of a route on a server. `base` can have a path and a trailing slash.
 *
 * @example
 * urlOf('https://connect.example', getWallets, { query: { page: 2 }, identity: { projectId: 'shop' } })
 * // 'https://connect.example/getWallets?page=2&projectId=shop'
 */
export function urlOf(base: string, route: { readonly path: string }, params?: UrlParameters): string {
  return base.replace(/\/+$/, '') + pathOf(route, params)
}
