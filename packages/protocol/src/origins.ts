/**
 * Whether a page on `origin` can use a project with the given patterns. An empty list allows every page, and localhost is always
 * allowed. In a pattern, `*` matches one whole DNS label. The scheme and port are only compared if the pattern specifies them,
 * and host names are compared case-insensitively. Non-ASCII host names must be in Punycode (`xn--…`).
 *
 * @example
 * originAllowed('https://www.shop.example', ['*.shop.example']) // true
 * originAllowed('https://shop.example', ['*.shop.example']) // false
 */
export function originAllowed(origin: string, patterns: readonly string[]): boolean {
  if (patterns.length === 0) return true
  const page = parts(origin)
  if (!page?.scheme) return false
  return isLoopback(page) || originListed(origin, patterns)
}

/**
 * Whether `origin` matches one of `patterns`. Unlike `originAllowed`, this function does not allow any origin if the list is
 * empty, and only allows localhost if it is listed.
 */
export function originListed(origin: string, patterns: readonly string[]): boolean {
  const page = parts(origin)
  if (!page?.scheme) return false
  return patterns.some((text) => {
    const pattern = parts(text)
    if (!pattern) return false
    if (pattern.scheme && pattern.scheme !== page.scheme) return false
    if (pattern.port && pattern.port !== (page.port || standardPorts[page.scheme])) return false
    return sameHost(pattern.host, page.host)
  })
}

interface Parts {
  readonly scheme: string
  readonly host: string
  readonly port: string
}

const standardPorts: Readonly<Record<string, string>> = { http: '80', https: '443' }

function parts(text: string): Parts | undefined {
  const found = /^(?:([a-z][a-z0-9+.-]*):\/\/)?([a-z0-9*._-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?\/?$/i.exec(text.trim())
  if (!found) return undefined
  const [, scheme = '', host = '', port = ''] = found
  return { scheme: scheme.toLowerCase(), host: host.toLowerCase(), port }
}

function isLoopback({ scheme, host }: Parts): boolean {
  if (scheme !== 'http' && scheme !== 'https') return false
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(host)
}

function sameHost(pattern: string, host: string): boolean {
  const wanted = pattern.split('.')
  const labels = host.split('.')
  // A pattern such as `a*b` needs no special case, because real host names do not contain asterisks.
  return (
    wanted.length === labels.length &&
    wanted.every((label, at) => label === labels[at] || (label === '*' && labels[at] !== ''))
  )
}
