/** The longest name of a wallet that is drawn. */
const longestName = 40

/**
 * `told` as a name that can be shown beside others: compatibility forms folded, characters that cannot be seen or that
 * turn the text around removed, stacked marks thinned, cut. `undefined` when nothing is left.
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

/** What two names have in common when a visitor could take one for the other: case, marks, spaces, look-alike letters. */
export function confusableKey(name: string): string {
  return (
    // A list may hold ten thousand names: what most of them are made of is left alone.
    (/^[ -~]*$/.test(name) ? name : name.normalize('NFKD'))
      .toLowerCase()
      .replace(/[^a-hj-z2-46-9]/gu, (letter) => lookAlikes[letter] ?? (/[\p{L}\p{N}]/u.test(letter) ? letter : ''))
      .replaceAll('rn', 'm')
      .replaceAll('vv', 'w')
      // One wallet with two names, which the modal shows as one.
      .replace(/^trustwallet$/, 'trust')
  )
}

/** Whether a name has a domain in it that is not of its own `rdns`: "MetaMask (io.metamask)" of anybody else. */
export function isConfusable(name: string, rdns: string | null | undefined): boolean {
  const own = new Set(rdns?.toLowerCase().split('.'))
  return (name.match(/[\p{L}\p{N}-]{2,}([.。·‧∙]\p{L}{2,})+/gu) ?? []).some((domain) =>
    domain.split(/[.。·‧∙]/u).some((label) => !own.has(label.toLowerCase())),
  )
}

// The handful of letters with which wallet names are imitated; not a whole table of confusables, which weighs more than this package.
const imitated = 'авекмнорстухіјѕԁԛԝһӏαβεικνορτυχωημiı|015'
const imitates = 'abekmhopctyxljsdqwhlabelkvoptuxwnmlllols'
const lookAlikes: Readonly<Record<string, string>> = Object.fromEntries(
  [...imitated].map((letter, at) => [letter, imitates.charAt(at)]),
)
