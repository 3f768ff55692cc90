// Schemes that no wallet app uses, because browsers or operating systems use them for other purposes.
const taken =
  /^(https?|wss?|about|afp|android-app|blob|chrome.*|cid|content|data|dav|dns|facetime.*|feed|file(system)?|ftps?|geo|git|gopher|hcp|help|imap|intent|irc|itms.*|jar|javascript|ldaps?|livescript|magnet|mailto|maps|market|mid|mocha|moz-.*|ms-.*|news|nfs|nntp|pop|resource|rlogin|rtsp|search(-ms)?|sftp|shell|sips?|smb|smsto|sms|ssh|svn|tel|telnet|urn|vbscript|view-source|vnc|web\+.*|wyciwyg|x-apple.*|[a-z]+-extension):/i
/** An app link can contain only these characters. A web link can contain more. */
const appLetters = /^[a-z][a-z0-9+.-]{0,63}:[\w.~/?=&%:+-]*$/i
/** Schemes that can execute code, open local content or wrap another link. They are rejected anywhere in a link. */
const hidden = /(^|[^a-z])(javascript|vbscript|livescript|data|blob|file|filesystem|intent|jar|feed|view-source)\s*:/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: the check rejects control characters.
const unfit = /[\s\u0000-\u001f\u007f-\u009f<>"\\\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/

/** Whether a link can be shown to the user. Only web links and links with an app's own URL scheme are safe. */
export function isSafeLink(link: string): boolean {
  return isWebLink(link) || (appLetters.test(link) && !taken.test(link) && !hides(link))
}

/** Whether a link opens a web page over https or on localhost, and contains no user name or password. */
export function isWebLink(link: string): boolean {
  if (!/^https?:\/\/[^/]/i.test(link) || unfit.test(link) || !URL.canParse(link) || hides(link)) return false
  const { protocol, hostname, username, password } = new URL(link)
  const isHere = hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '127.0.0.1'
  return username === '' && password === '' && (protocol === 'https:' || isHere)
}

/** Whether a link can carry a secret. Safe links do not disguise their host and are never sent over a network unencrypted. */
export function canCarrySecret(link: string): boolean {
  return isSafeLink(link)
}

/**
 * Whether a link contains a dangerous scheme, even if the scheme is percent-encoded several times. Returns `true` for links that
 * are still encoded after three rounds of decoding.
 */
function hides(link: string): boolean {
  let text = link
  for (let layer = 0; layer < 4; layer++) {
    // Some apps strip whitespace and control characters before they open a link.
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
