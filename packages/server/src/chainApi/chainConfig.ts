/** The configuration of a chain: its nodes, tokens and contracts. Read from `RPC_URLS` and the file in `CHAINS_FILE`. */
export interface ChainConfig {
  /** The CAIP-2 chain ID, such as `eip155:1`. */
  readonly chainId: string
  /** The display name. */
  readonly name: string
  /** The currency in which fees are paid. */
  readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number }
  /** Whether this is a test network. Its tokens have no prices, unless it has an exchange with a stablecoin. */
  readonly testnet: boolean
  /** The node URLs, in order of preference. */
  readonly rpcUrls: readonly string[]
  /** The tokens on the chain's token lists. A token that is on several lists is listed once. */
  readonly tokens: readonly ListedToken[]
  /** The address of Multicall3. Only on eip155. */
  readonly multicall3?: `0x${string}` | undefined
  /** The contracts of a Uniswap V3 exchange. Absent if tokens cannot be swapped. Only on eip155. */
  readonly exchange?: ExchangeConfig | undefined
  /** The contract that resolves ENS names. Absent if names are not resolved on this chain. Only on eip155. */
  readonly ens?: { readonly universalResolver: `0x${string}` } | undefined
  /** An indexer with the API of Etherscan or Blockscout. If absent, the history is read from the node. */
  readonly history?: { readonly url: string } | undefined
}

/** The contracts of a Uniswap V3 exchange. */
export interface ExchangeConfig {
  readonly factory: `0x${string}`
  /** QuoterV2. */
  readonly quoter: `0x${string}`
  /** SwapRouter02. */
  readonly router: `0x${string}`
  readonly wrappedNative: `0x${string}`
  /** The stablecoins that are valued at one US dollar, most liquid first. */
  readonly stablecoins: readonly `0x${string}`[]
  /** The pool fees to try, in hundredths of a basis point, such as 3000 for 0.3%. */
  readonly feeTiers: readonly number[]
  /** The operator's fee on swaps, which is part of each quote. No fee by default. */
  readonly fee?: { readonly bps: number; readonly recipient: `0x${string}` } | undefined
}

/** A token on a token list (https://tokenlists.org). */
export interface ListedToken {
  /** The plain address: checksummed on eip155, the mint on solana. */
  readonly address: string
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  readonly logoUri?: string | undefined
  /** Whether the token supports permits (EIP-2612). Absent if the list does not specify it. */
  readonly eip2612?: boolean | undefined
}
