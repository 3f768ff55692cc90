/** Who asks: part of every call. */
export interface Identity {
  readonly projectId?: string | undefined
  /** SDK type. */
  readonly st?: string | undefined
  /** SDK version. */
  readonly sv?: string | undefined
}

/** What a query may hold before it is written. `undefined`, `null` and empty lists are left out. */
export type QueryValue = string | number | boolean | readonly string[] | null | undefined

/** What is put into a route to make a URL of it. */
export interface UrlParameters {
  readonly params?: Readonly<Record<string, string>> | undefined
  readonly query?: object | undefined
  readonly identity?: Identity | undefined
}

/** A URL from its route: path parameters filled in, lists comma-separated, `projectId`, `st` and `sv` added. */
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

/** The same on a server: `base` may end in a slash or in a folder. */
export function urlOf(base: string, route: { readonly path: string }, params?: UrlParameters): string {
  return base.replace(/\/+$/, '') + pathOf(route, params)
}
