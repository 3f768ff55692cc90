import type { ReactNode } from 'react'
import { linkProps } from '../router.ts'
import { type Basket, centsOf, countOf } from './basket.ts'
import { ProductImage } from './ProductImage.tsx'
import { dollars, products } from './products.ts'

/** The product list. */
export function ProductList({
  basket,
  change,
}: {
  readonly basket: Basket
  readonly change: (next: Basket) => void
}): ReactNode {
  const count = countOf(basket)
  return (
    <>
      <section className="hero">
        <p className="eyebrow">Open until the shelves are empty</p>
        <h1>Bread worth getting up for.</h1>
        <p className="lead">
          Choose from this morning’s bake, pay from your wallet, and show the receipt at the counter.
        </p>
      </section>
      <ul className="shelf">
        {products.map(({ id, name, about, cents }) => (
          <li key={id} className="good">
            <ProductImage id={id} />
            <h2>{name}</h2>
            <p>{about}</p>
            <div className="buy">
              <span className="price">{dollars(cents)}</span>
              {basket[id] > 0 && <span className="inBasket">{basket[id]} in the basket</span>}
              <button
                type="button"
                onClick={() => change({ ...basket, [id]: basket[id] + 1 })}
                aria-label={`Add ${name}`}
              >
                Add
              </button>
            </div>
          </li>
        ))}
      </ul>
      {count > 0 && (
        <p className="toOrder">
          <a className="primary" {...linkProps('/order')}>
            To the order · {dollars(centsOf(basket))}
          </a>
        </p>
      )}
    </>
  )
}
