import type { LocalChain } from '@latchkey/testing'
import type { TestExchange, TestToken } from '@latchkey/testing/node'
import type { LocalEns } from './localEns.ts'
import type { LocalSolanaToken } from './localSolanaToken.ts'

/** The configuration of a page in the dev environment, served as `/environment.json`. */
export interface DevEnvironmentInfo {
  /** The origin of the app in `site`, such as `http://demo.localhost:4100`. */
  readonly demo: string
  /** The server's origin, for the `server` option of `createLatchkey()`. */
  readonly connect: string
  /** The URL of the WalletConnect relay. */
  readonly relay: string
  /** The origin of the embedded wallet's frame. */
  readonly keys: string
  /** The origin of the inbox that receives all emails. */
  readonly mail: string
  /** The origin of the web wallet for pairing, which is served only if the `wallet` option is set. */
  readonly wallet: string
  /** The origin of the mock social providers. */
  readonly login: string
  /** The origin of the mock seller of crypto. Its page is where buyers confirm a purchase. */
  readonly buy: string
  /** The origin of a paymaster (ERC-7677) for pages that configure their own. */
  readonly paymaster: string
  /** The project ID for pages in the environment. */
  readonly projectId: string
  /** The local EVM chains, with their RPC URLs. The first chain has the smart account contracts. */
  readonly chains: readonly LocalChain[]
  /** The local Solana node, which starts with its first request, and its test token. */
  readonly solana: { readonly chainId: `solana:${string}`; readonly url: string; readonly token: LocalSolanaToken }
  /** The ERC-20 test token and the EIP-155 ID of its chain. */
  readonly token: TestToken & { readonly chainId: number }
  /**
   * The Uniswap V3 exchange on the first chain, with its tokens and pools. `undefined` if its bytecode could not be downloaded.
   */
  readonly exchange: TestExchange | undefined
  /**
   * ENS on the first chain, and the names that the server registers. `undefined` if the bytecode of ENS could not be
   * downloaded.
   */
  readonly names: LocalEns | undefined
  /** Accounts that are funded on every chain. Their keys are public. */
  readonly accounts: readonly { readonly address: `0x${string}`; readonly privateKey: `0x${string}` }[]
}

/** Returns the lines for an app's `.env` file. `prefix` is the prefix that its bundler requires, such as `VITE_`. */
export function envLines(info: DevEnvironmentInfo, prefix = ''): readonly string[] {
  const [chain] = info.chains
  const values = {
    LATCHKEY_SERVER: info.connect,
    LATCHKEY_PROJECT_ID: info.projectId,
    LATCHKEY_KEYS_URL: info.keys,
    LATCHKEY_RELAY: info.relay,
    ...(chain ? { LATCHKEY_RPC_URL: chain.rpcUrls.default.http[0] } : {}),
  }
  return Object.entries(values).map(([name, value]) => `${prefix}${name}=${value}`)
}
