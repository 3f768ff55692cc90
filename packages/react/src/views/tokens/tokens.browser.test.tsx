import type { Token } from '@latchkey/core'
import { fakeClock, fakeLatchkey } from '@latchkey/core/testing'
import { createStyleAdopter, StyleSheetContext } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { afterEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { LatchkeyProvider } from '../../LatchkeyProvider.tsx'
import { TotalNote } from '../account/AccountTotal.tsx'
import { PriceNote, TokenRow } from './TokenRow.tsx'
import { type TokenFormat, useTokenFormat } from './useTokenFormat.ts'

afterEach(cleanup)

const minuteMs = 60_000
const coin: Token = {
  id: 'eip155:1:0xaa',
  chain: 'eip155:1',
  address: '0xaa',
  name: 'USD Coin',
  symbol: 'USDC',
  decimals: 6,
  amount: 1_234_567_899n,
  price: { amount: '1', source: 'stablecoin', at: 60 * minuteMs },
  fiat: '1234.567899',
  iconUrl: 'https://images.example/usdc.png',
}

function Drawn({ draw }: { readonly draw: (format: TokenFormat) => ReactNode }): ReactNode {
  return draw(useTokenFormat())
}

/** Renders with a format at one hour after the epoch. Returns the clock. */
async function show(draw: (format: TokenFormat) => ReactNode): Promise<ReturnType<typeof fakeClock>> {
  const clock = fakeClock(60 * minuteMs)
  await render(
    <LatchkeyProvider latchkey={fakeLatchkey({ options: { clock } })}>
      <StyleSheetContext.Provider value={createStyleAdopter(document)}>
        <Drawn draw={draw} />
      </StyleSheetContext.Provider>
    </LatchkeyProvider>,
  )
  return clock
}

describe('TokenRow', () => {
  test('shows the balance with three decimals, truncated, and the value with two', async () => {
    await show((format) => <TokenRow token={coin} format={format} />)
    await expect.element(page.getByText('1,234.567\u2009USDC')).toBeVisible()
    await expect.element(page.getByText('$1,234.57')).toBeVisible()
    expect(page.getByText(/Price from/).elements()).toEqual([])
  })

  test('marks a price as old and shows its age once it is older than ten minutes', async () => {
    const clock = await show((format) => <TokenRow token={coin} format={format} />)
    await clock.pass(10 * minuteMs)
    expect(page.getByText(/Price from/).elements()).toEqual([])
    await clock.pass(minuteMs)
    await expect.element(page.getByText('Price from 11 min ago')).toBeVisible()
  })

  test('shows that there is no price, instead of a value', async () => {
    const { price: _, fiat: __, ...unpriced } = coin
    await show((format) => <TokenRow token={unpriced} format={format} />)
    await expect.element(page.getByText('No price')).toBeVisible()
    expect(page.getByText('$', { exact: false }).elements()).toEqual([])
  })

  test('marks hidden tokens, and shows neither their value nor their logo', async () => {
    await show((format) => <TokenRow token={{ ...coin, hidden: 'spam' }} format={format} />)
    await expect.element(page.getByText('Likely spam')).toBeVisible()
    expect(page.getByText('$', { exact: false }).elements()).toEqual([])
    expect(document.querySelector('img')).toBeNull()
  })
})

test('PriceNote names the source and the age of a price', async () => {
  await show((format) => <PriceNote price={{ amount: '2', source: 'uniswap-v3', at: 58 * minuteMs }} format={format} />)
  await expect.element(page.getByText('Price from 2 min ago (Uniswap v3)')).toBeVisible()
})

test('TotalNote names all sources, the age of the oldest price and the tokens without a price', async () => {
  await show((format) => (
    <TotalNote
      total={{ fiat: '1', withoutPrice: 2, sources: ['uniswap-v3', 'stablecoin'], pricedAt: 0 }}
      format={format}
    />
  ))
  await expect
    .element(page.getByText('Prices updated 1 hr ago (Uniswap v3, stablecoins are valued at 1 USD)'))
    .toBeVisible()
  await expect.element(page.getByText('2 tokens without a known price are not included.')).toBeVisible()
})
