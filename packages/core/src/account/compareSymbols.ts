import { shownName } from '@latchkey/protocol/displayName'

/** The maximum length of a displayed symbol. */
const maxLength = 20

/** Returns the symbol in a form that is safe to display. `undefined` if there is none. */
export function shownSymbol(symbol: string | undefined): string | undefined {
  return shownName(symbol, maxLength)
}

/**
 * Compares a token's displayed symbol, which can come from a server, with the one that its contract reports. Bridged and renamed
 * forms of the same currency, such as USDC and USDC.e, or USDT and USD₮0, are `similar`. Without a displayed symbol, nothing can
 * be wrong. Returns `unknown` if the contract reports none.
 */
export function compareSymbols(
  displayed: string,
  reported: string | undefined,
): 'same' | 'similar' | 'different' | 'unknown' {
  const [a, b] = [comparable(displayed), comparable(reported)]
  if (a === '' || a === b) return 'same'
  if (b === '') return 'unknown'
  const base = baseOf(a)
  return base !== '' && base === baseOf(b) ? 'similar' : 'different'
}

function comparable(symbol: string | undefined): string {
  return (shownSymbol(symbol) ?? '').toLowerCase()
}

/** Returns the symbol without the marks of bridges. Letters of other scripts are kept, because they can imitate those of a currency. */
function baseOf(symbol: string): string {
  return symbol
    .replaceAll('₮', 't')
    .replace(/\.[a-z]$/, '')
    .replace(/^[a-z]\./, '')
    .replace(/^usdt0$/, 'usdt')
    .replace(/[^\p{L}\p{N}]/gu, '')
}
