/** Shortens `address` in the middle, so that the user can recognize it. Never use a shortened address to confirm a recipient. */
export function shortAddress(address: string, { start = 6, end = 4 }: { start?: number; end?: number } = {}): string {
  return address.length <= start + end + 1
    ? address
    : `${address.slice(0, start)}…${address.slice(address.length - end)}`
}
