// Schemes that browsers and systems have a meaning for: no wallet's app is there. A wallet's own is whatever its entry declares beside them.
const taken =
  /^(https?|wss?|about|afp|android-app|blob|chrome.*|cid|content|data|dav|dns|facetime.*|feed|file(system)?|ftps?|geo|git|gopher|hcp|help|imap|intent|irc|itms.*|jar|javascript|ldaps?|livescript|magnet|mailto|maps|market|mid|mocha|moz-.*|ms-.*|news|nfs|nntp|pop|resource|rlogin|rtsp|search(-ms)?|sftp|shell|sips?|smb|smsto|sms|ssh|svn|tel|telnet|urn|vbscript|view-source|vnc|web\+.*|wyciwyg|x-apple.*|[a-z]+-extension):/i
/** What an app's link may be made of; a web page's may hold other letters, too. */
const appLetters = /^[a-z][a-z0-9+.-]{0,63}:[\w.~/?=&%:+-]*$/i
/** Runs wherever a link is followed that hides it. */
const hidden = /(^|[^a-z])(javascript|vbscript|livescript|data|blob|file|filesystem|intent|jar|feed|view-source)\s*:/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this refuses.
const unfit = /[\s\u0000-\u001f\u007f-\u009f<>"\\\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/

/** Whether a link may be offered to a visitor: a page by https, or an app's own scheme. Everything that is not known to be harmless is not. */
export function isSafeLink(link: string): boolean {
  return isWebLink(link) || (appLetters.test(link) && !taken.test(link) && !hides(link))
}

/** Whether a link leads to a web page: by https, or on this machine; with no name in front of the host. */
export function isWebLink(link: string): boolean {
  if (!/^https?:\/\/[^/]/i.test(link) || unfit.test(link) || !URL.canParse(link) || hides(link)) return false
  const { protocol, hostname, username, password } = new URL(link)
  const isHere = hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '127.0.0.1'
  return username === '' && password === '' && (protocol === 'https:' || isHere)
}

/** Whether a secret may travel by a link: what may be offered goes in clear over no network, and to no name that hides another. */
export function mayCarrySecret(link: string): boolean {
  return isSafeLink(link)
}

/** Whether something that would run, or lead elsewhere, stands in the parameters of a link, however often it was encoded. */
function hides(link: string): boolean {
  let text = link
  for (let layer = 0; layer < 4; layer++) {
    // Some targets drop such characters before they follow what is left.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this drops.
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
