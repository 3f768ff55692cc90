import { sanitizeName } from '@latchkey/protocol/untrustedNames'

/** The maximum length of a displayed symbol. */
const maxLength = 20

/** Returns the symbol in a form that is safe to display. `undefined` if there is none. */
export function shownSymbol(symbol: string | undefined): string | undefined {
  return sanitizeName(symbol, maxLength)
}

/** The displayed values of a token. They can come from a server. */
interface DisplayedToken {
  readonly symbol: string
  readonly name: string
  readonly address?: string
}

/**
 * Compares a token's displayed symbol with the one that its contract reports. Bridged and renamed forms of the same currency,
 * such as USDC and USDC.e, or USDT and USD₮0, are `similar`. Returns `unknown` if the contract reports none, or if the token is
 * displayed with a name instead. Returns `same` if only its abbreviated address is displayed, because an address cannot be a
 * wrong symbol.
 */
export function compareSymbols(
  displayed: DisplayedToken,
  reported: string | undefined,
): 'same' | 'similar' | 'different' | 'unknown' {
  const [a, b] = [comparable(displayed.symbol), comparable(reported)]
  if (a === '') return isUnnamed(displayed) ? 'same' : 'unknown'
  if (a === b) return 'same'
  if (b === '') return 'unknown'
  const base = baseOf(a)
  return base !== '' && base === baseOf(b) ? 'similar' : 'different'
}

/** Whether a token's name is empty or its abbreviated address. */
function isUnnamed({ name, address = '' }: DisplayedToken): boolean {
  const [, start, end] = /^(\w{4})…(\w{4})$/.exec(name) ?? []
  return (
    name.trim() === '' ||
    (start !== undefined && end !== undefined && address.startsWith(start) && address.endsWith(end))
  )
}

function comparable(symbol: string | undefined): string {
  return (shownSymbol(symbol) ?? '').toLowerCase()
}

/**
 * Returns the symbol without the prefix or suffix of a bridge. Letters of other scripts are kept, because they can imitate the
 * letters of a known symbol.
 */
function baseOf(symbol: string): string {
  return symbol
    .replaceAll('₮', 't')
    .replace(/\.[a-z]$/, '')
    .replace(/^[a-z]\./, '')
    .replace(/^usdt0$/, 'usdt')
    .replace(/[^\p{L}\p{N}]/gu, '')
}
