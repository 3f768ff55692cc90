/**
 * Whether a page of `origin` may use a project that lists `patterns`. An empty list allows every page and the
 * page's own machine is always allowed. In a pattern `*` stands for one whole DNS label, a scheme or a port counts only
 * where it is written, and hosts compare without case. Names outside ASCII are written as in DNS (`xn--…`).
 */
export function originAllowed(origin: string, patterns: readonly string[]): boolean {
  if (patterns.length === 0) return true
  const page = parts(origin)
  if (!page?.scheme) return false
  return isLoopback(page) || originListed(origin, patterns)
}

/** Whether `patterns` name the page of `origin`, read as `originAllowed` reads them; nobody is named by an empty list. */
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
  // `a*b` needs no case of its own: no host has a star, so it never equals a label.
  return (
    wanted.length === labels.length &&
    wanted.every((label, at) => label === labels[at] || (label === '*' && labels[at] !== ''))
  )
}
