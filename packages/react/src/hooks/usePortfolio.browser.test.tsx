import type { PortfolioState, Token } from '@latchkey/core'
import { fakeClock, fakeFailure, fakeLatchkey, fakePortfolio, withAccount } from '@latchkey/core/testing'
import { afterEach, expect, test, vi } from 'vitest'
import { cleanup, render } from 'vitest-browser-react'
import { LatchkeyProvider } from '../LatchkeyProvider.tsx'
import { type UsePortfolioReturnType, usePortfolio } from './usePortfolio.ts'

afterEach(cleanup)

const account = 'eip155:1:0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const other = 'eip155:1:0x1aE0EA34a72D944a8C7603FfB3eC30a6669E454C'
const ether: Token = {
  id: 'native',
  chain: 'eip155:1',
  name: 'Ether',
  symbol: 'ETH',
  decimals: 18,
  amount: 2n,
  price: { amount: '2000', at: 5 },
  fiat: '0.1',
}
const owned: PortfolioState = { account, tokens: { status: 'ready', value: [ether] } }

function Host({
  params,
  onPortfolio,
}: {
  readonly params: Parameters<typeof usePortfolio>[0]
  readonly onPortfolio: (portfolio: UsePortfolioReturnType) => void
}): null {
  onPortfolio(usePortfolio(params))
  return null
}

async function show(
  latchkey: ReturnType<typeof fakeLatchkey>,
  params?: Parameters<typeof usePortfolio>[0],
): Promise<() => UsePortfolioReturnType> {
  let now: UsePortfolioReturnType | undefined
  await render(
    <LatchkeyProvider latchkey={latchkey}>
      <Host
        params={params}
        onPortfolio={(portfolio) => {
          now = portfolio
        }}
      />
    </LatchkeyProvider>,
  )
  return () => now as UsePortfolioReturnType
}

test('usePortfolio returns the tokens of the active account with their total', async () => {
  const portfolio = fakePortfolio(owned)
  const now = await show(fakeLatchkey({ portfolio, state: (state) => withAccount(state, account, 'a') }))
  await expect.poll(() => now().tokens).toEqual({ status: 'ready', value: [ether] })
  expect(now().total).toEqual({ fiat: '0.1', withoutPrice: 0, sources: [], pricedAt: 5 })
  await now().refresh({ force: ['eip155:1:0xaa'] })
  expect(portfolio.calls.at(-1)).toEqual(['refresh', { force: ['eip155:1:0xaa'] }])
})

test('usePortfolio never returns the tokens of another account', async () => {
  const portfolio = fakePortfolio({ ...owned, account: other })
  const now = await show(fakeLatchkey({ portfolio, state: (state) => withAccount(state, account, 'a') }))
  await expect.poll(() => portfolio.calls).toEqual([['refresh']])
  expect(now().tokens).toEqual({ status: 'idle' })
  expect(now().total).toBeUndefined()
})

test('usePortfolio reads nothing while it is disabled or no account is connected', async () => {
  const portfolio = vi.fn(async () => fakePortfolio(owned))
  const connected = fakeLatchkey({ state: (state) => withAccount(state, account, 'a') })
  await show({ ...connected, portfolio }, { enabled: false })
  await show({ ...fakeLatchkey(), portfolio })
  expect(portfolio).not.toHaveBeenCalled()
})

test('usePortfolio polls at the interval, until it is unmounted', async () => {
  const clock = fakeClock()
  const portfolio = fakePortfolio(owned)
  const options = { clock }
  await show(fakeLatchkey({ options, portfolio, state: (state) => withAccount(state, account, 'a') }), {
    pollMs: 10_000,
  })
  await expect.poll(() => portfolio.calls).toEqual([['refresh']])
  await clock.pass(20_000)
  expect(portfolio.calls).toEqual([['refresh'], ['poll', 10_000], ['poll', 10_000]])
  await cleanup()
  await clock.pass(20_000)
  expect(portfolio.calls).toHaveLength(3)
})

test('usePortfolio reports a failure to load its code, and loads it again on refresh', async () => {
  const error = fakeFailure('http/unreachable', { url: 'https://app.example' })
  const latchkey = fakeLatchkey({ state: (state) => withAccount(state, account, 'a') })
  const load = vi.fn(async () => fakePortfolio(owned)).mockRejectedValueOnce(error)
  const now = await show({ ...latchkey, portfolio: load })
  await expect.poll(() => now().tokens).toEqual({ status: 'failed', error })
  await now().refresh()
  await expect.poll(() => now().tokens.status).toBe('ready')
})
