import type { OnrampOptions, PaymentCurrency } from '@latchkey/protocol/http/chainApi'

const fallbackLimits: PaymentCurrency['payment_method_limits'] = [
  { id: 'card', min: '10.00', max: '7500.00' },
  { id: 'ach_bank_account', min: '10.00', max: '25000.00' },
]
const fallbackNetworks = ['1', '137'].map((chain_id) => ({
  name: chain_id === '1' ? 'ethereum' : 'polygon',
  display_name: chain_id === '1' ? 'Ethereum' : 'Polygon',
  chain_id,
  contract_address: '',
}))

/** Common options, which are used if the provider's options cannot be loaded. */
export const fallbackOnrampOptions: OnrampOptions = {
  paymentCurrencies: ['USD', 'EUR'].map((id) => ({ id, payment_method_limits: fallbackLimits })),
  purchaseCurrencies: [
    { id: 'USDC', name: 'USD Coin', symbol: 'USDC', networks: fallbackNetworks },
    { id: 'ETH', name: 'Ether', symbol: 'ETH', networks: fallbackNetworks },
  ],
}
