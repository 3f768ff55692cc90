/** `address` cut in the middle, for recognising it only: never where money is about to go there. */
export function shortAddress(address: string, { start = 6, end = 4 }: { start?: number; end?: number } = {}): string {
  return address.length <= start + end + 1
    ? address
    : `${address.slice(0, start)}…${address.slice(address.length - end)}`
}
