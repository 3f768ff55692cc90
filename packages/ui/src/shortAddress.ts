/** Shortens `address` in the middle. Only for recognizing an address: never use it to confirm a recipient. */
export function shortAddress(address: string, { start = 6, end = 4 }: { start?: number; end?: number } = {}): string {
  return address.length <= start + end + 1
    ? address
    : `${address.slice(0, start)}…${address.slice(address.length - end)}`
}
