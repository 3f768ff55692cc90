import type { NativeBalance } from '@latchkey/core/adapter'

/** A balance for a button: exact digits cut after `places`, never rounded up; `<0.0001` where that would say nothing. */
export function shortBalance({ value, decimals, symbol }: NativeBalance, places = 4): string {
  const digits = value.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const tail = digits
    .slice(digits.length - decimals)
    .slice(0, places)
    .replace(/0+$/, '')
  const cut = tail === '' ? whole : `${whole}.${tail}`
  return `${value > 0n && cut === '0' ? `<0.${'0'.repeat(places - 1)}1` : cut}\u2009${symbol}`
}
