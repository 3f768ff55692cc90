import { builtViews, type LatchkeyOptions, type ViewName, type WalletFeature } from '@latchkey/core'
import { type ChainId, namespaceOf } from '@latchkey/protocol/caip'
import {
  historyNamespaces,
  sendNamespaces,
  swapNetworks,
  tokenNamespaces,
  walletFeatures,
} from '@latchkey/protocol/specificationConstants'

/** The view that each action opens. */
export const featureViews = {
  onramp: 'OnRampProviders',
  swaps: 'Swap',
  receive: 'WalletReceive',
  send: 'WalletSend',
} as const satisfies Readonly<Record<WalletFeature, ViewName>>

/** Whether the namespace of `chain` is one of `namespaces`. */
function isIn(namespaces: readonly string[], chain: ChainId | undefined): boolean {
  return chain !== undefined && namespaces.includes(namespaceOf(chain))
}

/** Whether a server is configured. The chain API needs one. */
export function hasServer({ server, projectId }: LatchkeyOptions): boolean {
  return server !== undefined && projectId !== undefined
}

/** Whether the tokens of accounts on `chain` can be listed. */
export function listsTokens(options: LatchkeyOptions, chain: ChainId | undefined): boolean {
  return hasServer(options) && isIn(tokenNamespaces, chain)
}

/** Whether the activity of accounts on `chain` can be shown. */
export function showsActivity({ features }: LatchkeyOptions, chain: ChainId | undefined): boolean {
  return features?.history !== false && isIn(historyNamespaces, chain)
}

/**
 * Returns the account's actions in display order. An action is offered if its feature is enabled, its view is implemented and the
 * chain supports it: receiving on all chains, sending and buying on eip155 and solana, and swapping on networks with an exchange.
 * Buying and swapping also require a server.
 */
export function offeredFeatures(
  { features, walletFeaturesOrder = walletFeatures, ...options }: LatchkeyOptions,
  {
    chain,
    views = builtViews,
    swaps = false,
    onramp = true,
  }: {
    readonly chain: ChainId | undefined
    readonly views?: readonly ViewName[]
    /** Whether the server has an exchange on the chain, from `useSwapSupport()`. */
    readonly swaps?: boolean
    /** Whether the server has a provider that sells tokens, from `useOnrampSupport()`. */
    readonly onramp?: boolean
  },
): readonly WalletFeature[] {
  const works: Readonly<Record<WalletFeature, boolean>> = {
    onramp: onramp && hasServer(options) && isIn(tokenNamespaces, chain),
    swaps: hasServer(options) && (swaps || swapNetworks.includes(chain ?? '')),
    receive: true,
    send: isIn(sendNamespaces, chain),
  }
  return [...new Set([...walletFeaturesOrder, ...walletFeatures])].filter(
    (feature) => features?.[feature] !== false && works[feature] && views.includes(featureViews[feature]),
  )
}
