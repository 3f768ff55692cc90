/**
 * Whether two different addresses share at least three characters at the start, not counting `0x`, at least three at the end,
 * and at least seven in total. Wallets and explorers show different parts of an address.
 */
export function looksAlike(a: string, b: string): boolean {
  const [first, second] = [charactersOf(a), charactersOf(b)]
  const start = commonLength(first, second)
  const end = commonLength(first.toReversed(), second.toReversed())
  return start < Math.max(first.length, second.length) && start >= 3 && end >= 3 && start + end >= 7
}

/** Returns the characters to compare. EVM addresses are converted to lower case, because only they ignore case. */
function charactersOf(address: string): readonly string[] {
  return [...(/^0x/i.test(address) ? address.slice(2).toLowerCase() : address)]
}

/** Returns the length of the common prefix. */
function commonLength(first: readonly string[], second: readonly string[]): number {
  const at = first.findIndex((character, index) => character !== second[index])
  return at < 0 ? first.length : at
}
