/**
 * Whether two different addresses start and end with the same three characters, not counting `0x`, and have a fourth one in common there.
 * Wallets and explorers show different parts of an address.
 */
export function looksAlike(a: string, b: string): boolean {
  const [first, second] = [charactersOf(a), charactersOf(b)]
  const start = commonLength(first, second)
  const end = commonLength(first.toReversed(), second.toReversed())
  return start < Math.max(first.length, second.length) && start >= 3 && end >= 3 && start + end >= 7
}

/** Returns the characters in a form in which the same address is always the same. Only EVM addresses ignore case. */
function charactersOf(address: string): readonly string[] {
  return [...(/^0x/i.test(address) ? address.slice(2).toLowerCase() : address)]
}

/** Returns how many characters at the start are the same. */
function commonLength(first: readonly string[], second: readonly string[]): number {
  const at = first.findIndex((character, index) => character !== second[index])
  return at < 0 ? first.length : at
}
