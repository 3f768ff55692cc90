/** The maximum length of a displayed wallet name. */
const longestName = 40

/**
 * Returns a name that is safe to display, or `undefined` if no characters are left. Compatibility characters are normalized
 * (NFKC), invisible characters and bidirectional controls are removed, and combining marks and the length are limited.
 */
export function sanitizeName(name: unknown, longest: number = longestName): string | undefined {
  if (typeof name !== 'string') return undefined
  // Plain names are returned early, because browsers take several milliseconds to compile the regular expressions below.
  if (name.length <= longest && /^[!-~]+( [!-~]+)*$/.test(name)) return name
  const clean = name
    .slice(0, 1000)
    .normalize('NFKC')
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]/gu, '')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .trim()
  return [...clean].slice(0, longest).join('').trim() || undefined
}

/**
 * Returns a key that is the same for names that users could confuse. Case, diacritics, spaces and punctuation are ignored, and
 * lookalike characters are replaced with the letters that they resemble.
 */
export function confusableKey(name: string): string {
  return (
    // ASCII names are not normalized, because a list can contain ten thousand names.
    (/^[ -~]*$/.test(name) ? name : name.normalize('NFKD'))
      .toLowerCase()
      .replace(
        /[^a-hj-z2-46-9]/gu,
        (character) => lookAlike(character) || (character > '~' && /[\p{L}\p{N}]/u.test(character) ? character : ''),
      )
      .replaceAll('rn', 'm')
      .replaceAll('vv', 'w')
      // One wallet uses both names, and the modal shows them as one wallet.
      .replace(/^trustwallet$/, 'trust')
  )
}

/**
 * Whether a name contains a domain that does not match the wallet's `rdns`, such as "MetaMask (io.metamask)" for a different
 * wallet.
 */
export function isConfusable(name: string, rdns: string | null | undefined): boolean {
  const own = new Set(rdns?.toLowerCase().split('.'))
  return (name.match(/[\p{L}\p{N}-]{2,}([.。·‧∙]\p{L}{2,})+/gu) ?? []).some((domain) =>
    domain.split(/[.。·‧∙]/u).some((label) => !own.has(label.toLowerCase())),
  )
}

// Characters that are used to imitate letters in wallet names. A complete table of confusable characters would be larger than
// this package.
const imitated = 'авекмнорстухіјѕԁԛԝһӏαβεικνορτυχωημiı|015'
const imitates = 'abekmhopctyxljsdqwhlabelkvoptuxwnmlllols'

/** Returns the letter that `character` imitates, or an empty string if there is none. */
function lookAlike(character: string): string {
  return imitates.charAt(imitated.indexOf(character))
}
