import type { OnrampOffer, OnrampPurchase, OnrampState } from '@latchkey/core'
import { fakeFailure, fakeOnramp } from '@latchkey/core/testing'
import { type GalleryEntry, statesOf } from '../galleryEntry.ts'
import { withConnection } from '../samples.ts'

const unreachable = fakeFailure('http/unreachable', { url: 'https://connect.shop.example' })
const usd = (amount: string) => ({ amount, currency: 'USD' })

const quoteOf = (received: string): OnrampOffer['quote'] => ({
  status: 'ready',
  value: {
    paymentTotal: usd('100'),
    paymentSubtotal: usd('98.40'),
    purchaseAmount: { amount: received, currency: 'USDC' },
    coinbaseFee: usd('1.50'),
    networkFee: usd('0.10'),
    quoteId: 'sample',
  },
})

/** Shows the onramp with the changes to the offers of Coinbase and Meld. */
const showing = (
  state: Partial<OnrampState> = {},
  [coinbase, meld]: readonly [Partial<OnrampOffer>?, Partial<OnrampOffer>?] = [],
) => {
  const { offer } = fakeOnramp(state)
  return {
    state: withConnection,
    onramp: fakeOnramp({ offers: [offer('coinbase', coinbase), offer('meld', meld)], ...state }),
  }
}

const purchaseOf = (change: Partial<OnrampPurchase>): { readonly purchase: OnrampPurchase } => ({
  purchase: {
    provider: 'coinbase',
    account: 'eip155:1:0x8ba1f109551bD432803012645Ac136ddd64DBA72',
    chain: 'eip155:1',
    symbol: 'USDC',
    amount: '100',
    currency: 'USD',
    startedAt: 0,
    status: 'waiting',
    ...change,
  },
})
const transaction: OnrampPurchase['transaction'] = {
  id: 'sample',
  metadata: {
    operationType: 'buy',
    hash: `0x${'ab'.repeat(32)}`,
    minedAt: '2026-11-28T06:00:00Z',
    sentFrom: 'Coinbase',
    sentTo: '0x8ba1f109551bD432803012645Ac136ddd64DBA72',
    status: 'ONRAMP_TRANSACTION_STATUS_SUCCESS',
  },
  transfers: [{ direction: 'in', quantity: { numeric: '98.396604' }, fungible_info: { symbol: 'USDC' } }],
}
const many = ['USD', 'EUR', 'GBP', 'CHF', 'JPY', 'BRL', 'CAD', 'AUD', 'SEK', 'PLN', 'TRY', 'KRW']
const nothing = { offers: [], tokens: [], currencies: [] }

/** The views for buying crypto. */
export const onrampStates: readonly GalleryEntry[] = [
  ...statesOf(
    'OnRampProviders',
    undefined,
    {
      default: showing(),
      loading: showing({ status: 'loading', ...nothing }),
      quoting: showing({ amount: '100' }, [{ quote: { status: 'loading' } }, { quote: { status: 'loading' } }]),
      quotes: showing({ amount: '100' }, [{ quote: quoteOf('98.396604') }, { quote: quoteOf('98.1') }]),
      'no quote': showing({ amount: '100' }, [
        { quote: { status: 'failed', error: unreachable } },
        { quote: quoteOf('98.1') },
      ]),
      'too little': showing({ amount: '9.99' }),
      'too much': showing({ amount: '25000.01' }),
      'not sold': showing({ amount: '100' }, [{ quote: quoteOf('98.396604') }, { problem: 'token' }]),
      'server down': showing({ status: 'failed', error: unreachable, amount: '100' }, [
        { options: { status: 'failed', error: unreachable } },
        { options: { status: 'failed', error: unreachable } },
      ]),
      'no providers': showing({ status: 'none', ...nothing }),
      'unsupported network': showing({ status: 'unsupported', ...nothing }),
      'purchase in progress': showing({ amount: '100', ...purchaseOf({}) }),
      'long content': showing(
        {
          amount: '123456789.99',
          currencies: many,
          token: {
            symbol: 'A-TOKEN-WITH-A-VERY-LONG-SYMBOL',
            name: 'A token with a very long name',
            chain: 'eip155:1',
          },
        },
        [{ problem: undefined, quote: quoteOf('123456789.123456789123456789') }],
      ),
    },
    'Account',
  ),
  ...statesOf(
    'OnRampFiatSelect',
    undefined,
    {
      default: showing(),
      many: showing({ currencies: many }),
      loading: showing({ status: 'loading', ...nothing }),
      'no providers': showing({ status: 'none', ...nothing }),
      'server down': showing({ status: 'failed', error: unreachable }),
    },
    'OnRampProviders',
  ),
  ...statesOf(
    'OnRampTokenSelect',
    undefined,
    {
      default: showing(),
      loading: showing({ status: 'loading', ...nothing }),
      'unsupported network': showing({ status: 'unsupported', ...nothing }),
      'server down': showing({ status: 'failed', error: unreachable }),
    },
    'OnRampProviders',
  ),
  ...statesOf(
    'BuyInProgress',
    { provider: 'coinbase' },
    {
      opening: showing(purchaseOf({ status: 'opening' })),
      waiting: showing(purchaseOf({ status: 'waiting' })),
      blocked: showing(purchaseOf({ status: 'blocked', url: 'https://pay.coinbase.com/' })),
      'server down': showing(purchaseOf({ status: 'waiting', isUnreachable: true })),
      paid: showing(purchaseOf({ status: 'paid', transaction })),
      arrived: showing(purchaseOf({ status: 'arrived', transaction })),
      refused: showing(purchaseOf({ status: 'refused', transaction })),
      slow: showing(purchaseOf({ status: 'slow' })),
      failed: showing(purchaseOf({ status: 'failed', error: unreachable })),
      'server down after the payment': showing(purchaseOf({ status: 'paid', transaction, isUnreachable: true })),
      'no purchase': showing(),
    },
    'OnRampProviders',
  ),
]
