/** The longest name of a wallet that is drawn. */
const longestName = 40

/** The biggest icon that is taken, in characters of its data URL. */
const biggestIcon = 128 * 1024

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
export function lookOf(name: string): string {
  return (
    [...name.normalize('NFKD').toLowerCase()]
      .map((letter) => lookAlikes[letter] ?? letter)
      .join('')
      .replace(/[^\p{L}\p{N}]/gu, '')
      .replaceAll('rn', 'm')
      .replaceAll('vv', 'w')
      // One wallet with two names, which the modal shows as one.
      .replace(/^trustwallet$/, 'trust')
  )
}

/** Whether a name has a domain in it that is not of its own `rdns`: "MetaMask (io.metamask)" of anybody else. */
export function namesAnother(name: string, rdns: string | undefined): boolean {
  const own = new Set(rdns?.toLowerCase().split('.'))
  return (name.match(/[\p{L}\p{N}-]{2,}([.。·‧∙]\p{L}{2,})+/gu) ?? []).some((domain) =>
    domain.split(/[.。·‧∙]/u).some((label) => !own.has(label.toLowerCase())),
  )
}

/** An icon that may be drawn through an `<img>`: an image's data URL of bearable size, nothing that makes a request. */
export function safeIcon(told: unknown): string | undefined {
  if (typeof told !== 'string' || told.length > biggestIcon) return undefined
  const icon = told.trim()
  return dataImage.test(icon) ? icon : undefined
}

/** The host's own icon: like a wallet's, or https. */
export function hostIcon(told: unknown): string | undefined {
  return safeIcon(told) ?? (typeof told === 'string' && /^https:\/\/\S{1,2000}$/.test(told) ? told : undefined)
}

const dataImage = /^data:image\/(png|jpe?g|webp|gif|svg\+xml)(;(charset=)?utf-?8)?(;base64)?,/i

// The handful of letters with which wallet names are imitated; not a whole table of confusables, which weighs more than this package.
const imitated = 'авекмнорстухіјѕԁԛԝһӏαβεικνορτυχωηiı|015'
const imitates = 'abekmhopctyxljsdqwhlabelkvoptuxwnlllols'
const lookAlikes: Readonly<Record<string, string>> = Object.fromEntries(
  [...imitated].map((letter, at) => [letter, imitates.charAt(at)]),
)
