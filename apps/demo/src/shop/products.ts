/** Something on the shelf. */
export interface Product {
  readonly id: 'loaf' | 'croissant' | 'roll' | 'baguette' | 'tart' | 'coffee'
  readonly name: string
  readonly about: string
  /** In hundredths of a dollar. */
  readonly cents: number
}

/** The shelf. */
export const products: readonly Product[] = [
  { id: 'loaf', name: 'Country sourdough', about: 'Two days in the making, one kilo', cents: 680 },
  { id: 'baguette', name: 'Baguette', about: 'Crisp until this evening', cents: 290 },
  { id: 'croissant', name: 'Croissant', about: 'Twenty-seven layers of butter', cents: 260 },
  { id: 'roll', name: 'Cardamom knot', about: 'Sticky fingers included', cents: 340 },
  { id: 'tart', name: 'Plum tart', about: 'A slice, with almond cream', cents: 480 },
  { id: 'coffee', name: 'Filter coffee', about: 'From a roaster two streets away', cents: 320 },
]

/** The bakery's till: an account of the local chain. */
export const shopAddress = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'

/** What one ether is worth here, in hundredths of a dollar. A fixed price: this is a demo. */
export const centsPerEther = 320_000n

/** `cents` as `$6.80`. */
export function dollars(cents: number): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' }).format(cents / 100)
}

/** What `cents` are in wei, rounded up to a gwei. */
export function weiOf(cents: number): bigint {
  const gwei = (BigInt(cents) * 1_000_000_000n + centsPerEther - 1n) / centsPerEther
  return gwei * 1_000_000_000n
}
