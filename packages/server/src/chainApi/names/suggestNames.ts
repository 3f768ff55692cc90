/** The maximum number of words, and of numbered labels. More than are suggested, because some might be registered already. */
const maxCandidates = 12

/**
 * Resolves to labels that are similar to `label`, best first: English words that begin with it, then the label with a number.
 * Whether they are available is not checked.
 */
export async function suggestNames(label: string): Promise<readonly string[]> {
  // Loaded on first use, because few servers have names. The 2048 words are those of recovery phrases (BIP-39).
  const { english } = await import('viem/accounts')
  const words = english.filter((word) => word.startsWith(label) && word !== label).slice(0, maxCandidates)
  const numbered = Array.from({ length: maxCandidates }, (_, at) => `${label}${at + 1}`)
  return [...words, ...numbered]
}
