import type { TestToken } from './testToken.ts'

/** A token of the local exchange. */
export interface ExchangeToken extends TestToken {
  /** Whether the token supports permits (EIP-2612). */
  readonly eip2612: boolean
}

/** The tokens of the local exchange. Each of the five test accounts holds some of each. */
export interface ExchangeTokens {
  /** `tUSDC`, a stablecoin with 6 decimals and permits. */
  readonly usdc: ExchangeToken
  /**
   * `tUSDT`, a stablecoin with 6 decimals whose `transfer` and `approve` return nothing, as with Tether. An allowance has to be
   * set to zero before it can be changed.
   */
  readonly usdt: ExchangeToken
  /** `tPTS`, a token with 18 decimals that is on the token list but in no pool, so it has no price. */
  readonly unpriced: ExchangeToken
  /** A worthless token with the name and symbol of USDC. It is not on the token list. */
  readonly lookalike: ExchangeToken
  /**
   * A worthless token whose name and symbol contain bidirectional and invisible characters, and which has 255 decimals. It is not
   * on the token list.
   */
  readonly deceptive: ExchangeToken
}

/** The names, symbols and decimals of the tokens. */
export const exchangeTokenDetails: Readonly<Record<keyof ExchangeTokens, Omit<ExchangeToken, 'address'>>> = {
  usdc: { name: 'USD Coin (test)', symbol: 'tUSDC', decimals: 6, eip2612: true },
  usdt: { name: 'Tether USD (test)', symbol: 'tUSDT', decimals: 6, eip2612: false },
  unpriced: { name: 'Loyalty Points (test)', symbol: 'tPTS', decimals: 18, eip2612: true },
  lookalike: { name: 'USD Coin', symbol: 'USDC', decimals: 6, eip2612: true },
  deceptive: {
    name: 'Claim \u202eCDSU\u202c\u200b 1000',
    symbol: 'U\u200bS\u2060D\u202eC',
    decimals: 255,
    eip2612: true,
  },
}
