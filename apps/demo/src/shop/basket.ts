import { type Product, products } from './products.ts'

/** The quantity of each product. */
export type Basket = Readonly<Record<Product['id'], number>>

/** An empty basket. */
export const emptyBasket: Basket = { loaf: 0, croissant: 0, roll: 0, baguette: 0, tart: 0, coffee: 0 }

/** Returns the number of items in `basket`. */
export function countOf(basket: Basket): number {
  return products.reduce((sum, { id }) => sum + basket[id], 0)
}

/** Returns the total price of `basket` in US cents. */
export function centsOf(basket: Basket): number {
  return products.reduce((sum, { id, cents }) => sum + basket[id] * cents, 0)
}
