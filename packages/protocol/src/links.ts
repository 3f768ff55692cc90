// What a browser or a webview would run, read or show as ours, and what a system has handlers of its own for: no wallet is there.
const closedSchemes =
  /^(javascript|vbscript|data|blob|file|filesystem|about|view-source|intent|chrome|ws|wss|[a-z]+-extension|ms-.*|search(-ms)?|shell|itms-services|tel|sms|mailto|facetime|ftp|smb|ssh|ldap):/i

/** Whether a link may be offered to a visitor: http(s), or an app's own scheme. */
export function isSafeLink(link: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this refuses.
  return /^[a-z][a-z0-9+.-]*:[^\s\u0000-\u001f\u007f<>"\\]*$/i.test(link) && !closedSchemes.test(link)
}

/** Whether a link leads to a web page. */
export function isWebLink(link: string): boolean {
  return isSafeLink(link) && /^https?:\/\/[^/]/i.test(link)
}

/** Whether a secret may travel by a link: not in clear over a network, and to no name that hides another. */
export function mayCarrySecret(link: string): boolean {
  if (!isSafeLink(link)) return false
  if (!/^https?:/i.test(link)) return true
  if (!isWebLink(link) || !URL.canParse(link)) return false
  const { protocol, hostname, username, password } = new URL(link)
  const isHere = hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '127.0.0.1'
  return username === '' && password === '' && (protocol === 'https:' || isHere)
}
