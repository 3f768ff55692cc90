import type { ReactNode } from 'react'
import type { Product } from './products.ts'

const drawings: Readonly<Record<Product['id'], ReactNode>> = {
  loaf: (
    <>
      <path className="crust" d="M22 66c0-20 17-34 38-34s38 14 38 34c0 11-6 18-15 18H37c-9 0-15-7-15-18z" />
      <path className="cut" d="M44 46l8 20M60 42l8 22M77 47l6 17" />
    </>
  ),
  baguette: (
    <>
      <path className="crust" d="M18 78C34 48 66 28 98 24c8-1 10 8 5 13C84 58 58 80 30 92c-10 4-17-5-12-14z" />
      <path className="cut" d="M38 70l14 6M54 54l14 7M71 42l13 7" />
    </>
  ),
  croissant: (
    <>
      <path
        className="crust"
        d="M16 74c2-26 22-42 44-42s42 16 44 42c0 8-9 10-14 4-8-10-18-15-30-15s-22 5-30 15c-5 6-14 4-14-4z"
      />
      <path className="cut" d="M36 48l9 18M60 38v25M84 48l-9 18" />
    </>
  ),
  roll: (
    <>
      <circle className="crust" cx="60" cy="60" r="34" />
      <path className="cut" d="M60 60c6-8 18-2 16 9-2 12-18 17-29 9-13-9-12-30 2-39 17-11 40 0 43 19" />
    </>
  ),
  tart: (
    <>
      <path className="crust" d="M20 84l40-58 40 58c-26 12-54 12-80 0z" />
      <circle className="plum" cx="60" cy="56" r="8" />
      <circle className="plum" cx="46" cy="74" r="8" />
      <circle className="plum" cx="73" cy="75" r="8" />
    </>
  ),
  coffee: (
    <>
      <path className="cup" d="M28 44h54v26c0 12-9 20-20 20H48c-11 0-20-8-20-20z" />
      <path className="handle" d="M82 50h8c8 0 12 5 12 11s-5 12-13 12h-8" />
      <path className="steam" d="M44 34c-4-6 4-8 0-14M58 34c-4-6 4-8 0-14" />
    </>
  ),
}

/** A drawing of a product. */
export function ProductImage({ id }: { readonly id: Product['id'] }): ReactNode {
  return (
    <svg className="picture" viewBox="0 0 120 112" aria-hidden="true">
      {drawings[id]}
    </svg>
  )
}
