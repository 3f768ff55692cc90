import { type Product, products } from './products.ts'

/** How many of each. */
export type Basket = Readonly<Record<Product['id'], number>>

/** Nothing in it. */
export const emptyBasket: Basket = { loaf: 0, croissant: 0, roll: 0, baguette: 0, tart: 0, coffee: 0 }

/** How many pieces. */
export function countOf(basket: Basket): number {
  return products.reduce((sum, { id }) => sum + basket[id], 0)
}

/** What it costs, in hundredths of a dollar. */
export function centsOf(basket: Basket): number {
  return products.reduce((sum, { id, cents }) => sum + basket[id] * cents, 0)
}
