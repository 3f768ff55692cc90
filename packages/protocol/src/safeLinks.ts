// Schemes with a meaning in browsers or operating systems, which no wallet app uses. Wallets use the scheme that their entry declares.
const taken =
  /^(https?|wss?|about|afp|android-app|blob|chrome.*|cid|content|data|dav|dns|facetime.*|feed|file(system)?|ftps?|geo|git|gopher|hcp|help|imap|intent|irc|itms.*|jar|javascript|ldaps?|livescript|magnet|mailto|maps|market|mid|mocha|moz-.*|ms-.*|news|nfs|nntp|pop|resource|rlogin|rtsp|search(-ms)?|sftp|shell|sips?|smb|smsto|sms|ssh|svn|tel|telnet|urn|vbscript|view-source|vnc|web\+.*|wyciwyg|x-apple.*|[a-z]+-extension):/i
/** The characters allowed in an app link. A web link can have others. */
const appLetters = /^[a-z][a-z0-9+.-]{0,63}:[\w.~/?=&%:+-]*$/i
/** Schemes that execute code or open local content, wherever they appear in a link. */
const hidden = /(^|[^a-z])(javascript|vbscript|livescript|data|blob|file|filesystem|intent|jar|feed|view-source)\s*:/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: the check rejects control characters.
const unfit = /[\s\u0000-\u001f\u007f-\u009f<>"\\\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/

/** Whether a link can be offered to the user: an https page, or an app's own scheme. Anything not known to be safe is rejected. */
export function isSafeLink(link: string): boolean {
  return isWebLink(link) || (appLetters.test(link) && !taken.test(link) && !hides(link))
}

/** Whether a link opens a web page: over https, or on localhost, and without userinfo. */
export function isWebLink(link: string): boolean {
  if (!/^https?:\/\/[^/]/i.test(link) || unfit.test(link) || !URL.canParse(link) || hides(link)) return false
  const { protocol, hostname, username, password } = new URL(link)
  const isHere = hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '127.0.0.1'
  return username === '' && password === '' && (protocol === 'https:' || isHere)
}

/** Whether a link can carry a secret. Safe links are never sent in clear over a network, and do not disguise their host. */
export function mayCarrySecret(link: string): boolean {
  return isSafeLink(link)
}

/** Whether the link's parameters contain a dangerous scheme, however often they are encoded. */
function hides(link: string): boolean {
  let text = link
  for (let layer = 0; layer < 4; layer++) {
    // Some targets remove these characters before they follow the rest.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: removes control characters.
    if (hidden.test(text.replace(/[\s\u0000-\u001f]/g, ''))) return true
    try {
      const next = decodeURIComponent(text)
      if (next === text) return false
      text = next
    } catch {
      return false
    }
  }
  return true
}
