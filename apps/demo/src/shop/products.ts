/** A product that the shop sells. */
export interface Product {
  readonly id: 'loaf' | 'croissant' | 'roll' | 'baguette' | 'tart' | 'coffee'
  readonly name: string
  readonly about: string
  /** The price in US cents. */
  readonly cents: number
}

/** The products that the shop sells. */
export const products: readonly Product[] = [
  { id: 'loaf', name: 'Country sourdough', about: 'Two days in the making, one kilo', cents: 680 },
  { id: 'baguette', name: 'Baguette', about: 'Crisp until this evening', cents: 290 },
  { id: 'croissant', name: 'Croissant', about: 'Twenty-seven layers of butter', cents: 260 },
  { id: 'roll', name: 'Cardamom knot', about: 'Sticky fingers included', cents: 340 },
  { id: 'tart', name: 'Plum tart', about: 'A slice, with almond cream', cents: 480 },
  { id: 'coffee', name: 'Filter coffee', about: 'From a roaster two streets away', cents: 320 },
]

/** The shop's address, which is one of the local chain's test accounts. */
export const shopAddress = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'

/** The price of one ether in US cents. The price is fixed because this is a demo. */
export const centsPerEther = 320_000n

/** Formats `cents` as `$6.80`. */
export function dollars(cents: number): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' }).format(cents / 100)
}

/** Converts US cents to wei, rounded up to the next gwei. */
export function weiOf(cents: number): bigint {
  const gwei = (BigInt(cents) * 1_000_000_000n + centsPerEther - 1n) / centsPerEther
  return gwei * 1_000_000_000n
}
