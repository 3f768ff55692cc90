import type { Namespace } from '@latchkey/protocol/caip'
import type { Proposed } from '@latchkey/walletconnect'

/** The methods that a wallet is asked for (R7.12; specification, logic 4.1). It may grant fewer. */
export const methodsOf: Readonly<Record<Namespace, readonly string[]>> = {
  eip155: [
    'eth_accounts',
    'eth_requestAccounts',
    'eth_sendRawTransaction',
    'eth_sign',
    'eth_signTransaction',
    'eth_signTypedData',
    'eth_signTypedData_v3',
    'eth_signTypedData_v4',
    'eth_sendTransaction',
    'personal_sign',
    'wallet_switchEthereumChain',
    'wallet_addEthereumChain',
    'wallet_getPermissions',
    'wallet_requestPermissions',
    'wallet_registerOnboarding',
    'wallet_watchAsset',
    'wallet_scanQRCode',
    'wallet_getCallsStatus',
    'wallet_showCallsStatus',
    'wallet_sendCalls',
    'wallet_getCapabilities',
    'wallet_grantPermissions',
    'wallet_revokePermissions',
    'wallet_getAssets',
  ],
  solana: [
    'solana_signMessage',
    'solana_signTransaction',
    'solana_requestAccounts',
    'solana_getAccounts',
    'solana_signAllTransactions',
    'solana_signAndSendTransaction',
  ],
  bip122: ['sendTransfer', 'signMessage', 'signPsbt', 'getAccountAddresses'],
  polkadot: [],
  cosmos: [],
}

/** What signing in with one question asks for: all but showing the status of calls. */
export const signInMethods: readonly string[] = methodsOf.eip155.filter((method) => method !== 'wallet_showCallsStatus')

const events = ['accountsChanged', 'chainChanged'] as const

/** Solana's networks by the ids that older wallets know them by. */
const olderSolana: Readonly<Record<string, string>> = {
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ',
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1': 'solana:8E9rvCKLFQia2Y35HXjjpWzj8weVo44K',
}

/** What a page asks for on `chains`: all of it optional for the wallet (R4.13). */
export function proposalFor(chains: readonly string[]): Proposed {
  const byNamespace = new Map<Namespace, string[]>()
  for (const chain of chains) {
    const namespace = chain.slice(0, chain.indexOf(':')) as Namespace
    const older = olderSolana[chain]
    const all = byNamespace.get(namespace) ?? []
    byNamespace.set(namespace, [...all, chain, ...(older ? [older] : [])])
  }
  return Object.fromEntries(
    [...byNamespace].map(([namespace, own]) => [
      namespace,
      { chains: [...new Set(own)], methods: methodsOf[namespace], events },
    ]),
  )
}

/** The id by which a session knows `chain`: an older wallet may know Solana by its older one only. */
export function chainIn(granted: readonly string[], chain: string): string {
  const older = olderSolana[chain]
  return older !== undefined && !granted.includes(chain) && granted.includes(older) ? older : chain
}
