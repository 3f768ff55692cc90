/**
 * Whom a limit is about: an IPv4 address, or the first half of an IPv6 one, as one household or one rented server has a
 * whole /64; `null` where nobody knows.
 */
export function networkOf(address: string | undefined): string | null {
  if (!address) return null
  const plain = address.replace(/^::ffff:/i, '')
  if (!plain.includes(':')) return plain
  const [head = '', tail = ''] = plain.split('%')[0]?.split('::') ?? []
  const left = head === '' ? [] : head.split(':')
  const right = tail === '' ? [] : tail.split(':')
  const whole = plain.includes('::')
    ? [...left, ...Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0'), ...right]
    : left
  return whole.slice(0, 4).join(':').toLowerCase()
}

/** Whether an address is of this very machine: a developer, or a proxy that stands for everybody. */
export function isThisMachine(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '')
  return plain === '::1' || /^127\./.test(plain)
}
