/** Maximum length of a displayed wallet name. */
const longestName = 40

/**
 * Returns a name that is safe to display: compatibility forms are folded, invisible characters and bidirectional controls removed, combining
 * marks limited, and its length limited. Returns `undefined` if nothing is left.
 */
export function shownName(told: unknown, longest: number = longestName): string | undefined {
  if (typeof told !== 'string') return undefined
  const clean = told
    .slice(0, 1000)
    .normalize('NFKC')
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]/gu, '')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .trim()
  return [...clean].slice(0, longest).join('').trim() || undefined
}

/** Returns a key that is equal for names that users could confuse. It ignores case, marks, spaces and look-alike letters. */
export function confusableKey(name: string): string {
  return (
    // Skips normalization of ASCII names, because a list can have ten thousand names.
    (/^[ -~]*$/.test(name) ? name : name.normalize('NFKD'))
      .toLowerCase()
      .replace(/[^a-hj-z2-46-9]/gu, (letter) => lookAlike(letter) || (/[\p{L}\p{N}]/u.test(letter) ? letter : ''))
      .replaceAll('rn', 'm')
      .replaceAll('vv', 'w')
      // The same wallet under two names, which the modal shows as one.
      .replace(/^trustwallet$/, 'trust')
  )
}

/** Whether a name contains a domain other than its own `rdns`, such as "MetaMask (io.metamask)" for another wallet. */
export function isConfusable(name: string, rdns: string | null | undefined): boolean {
  const own = new Set(rdns?.toLowerCase().split('.'))
  return (name.match(/[\p{L}\p{N}-]{2,}([.。·‧∙]\p{L}{2,})+/gu) ?? []).some((domain) =>
    domain.split(/[.。·‧∙]/u).some((label) => !own.has(label.toLowerCase())),
  )
}

// The letters used to imitate wallet names. A full table of confusables would be larger than this package.
const imitated = 'авекмнорстухіјѕԁԛԝһӏαβεικνορτυχωημiı|015'
const imitates = 'abekmhopctyxljsdqwhlabelkvoptuxwnmlllols'

/** Returns the letter that `letter` imitates, or an empty string. */
function lookAlike(letter: string): string {
  return imitates.charAt(imitated.indexOf(letter))
}
