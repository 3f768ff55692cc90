import type { ChainId, Namespace } from './caip.ts'

/** The properties of a chain family that the packages need, apart from its code. */
export interface Family {
  /** The common name, which is the same in all languages. */
  readonly name: string
  /** The format of an address (CAIP-10). Only the format is checked, because the signature proves ownership. */
  readonly address: RegExp
  /** The encoding of a signature for sign-in (`SignedText`). `json` is the JSON that the wallet returns. */
  readonly signature: 'hex' | 'base58' | 'base64' | 'json'
  /** The default account type. Omitted if the family does not distinguish account types. */
  readonly accountType?: string
  /** The chain under which the wallet directory lists the family's wallets. Used on test networks. */
  readonly listedChain?: ChainId
  /** Whether the embedded wallet has keys for the family and therefore supports email and social login. */
  readonly hasLogin?: boolean
  /** The methods requested over WalletConnect by default. A wallet can grant fewer methods. */
  readonly walletConnectMethods: readonly string[]
  /**
   * The node methods that pages can call to read the chain or send signed transactions. All other methods, such as those for
   * accounts in the node, administration and debugging, are only for the node's operator.
   */
  readonly nodeMethods: readonly RegExp[]
}

/**
 * The chain families by CAIP-2 namespace. Pages never load this list. Instead, `npm run generate` writes each value where it is
 * used, so that a page only loads what its features need. CONTRIBUTING.md lists the steps for adding a family.
 */
export const families: Readonly<Record<Namespace, Family>> = {
  eip155: {
    name: 'Ethereum',
    address: /^0x[0-9a-fA-F]{40}$/,
    signature: 'hex',
    accountType: 'smartAccount',
    listedChain: 'eip155:1',
    hasLogin: true,
    walletConnectMethods: [
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
    nodeMethods: [
      /^eth_(?!accounts$|coinbase$|sign|sendTransaction|sendUnsigned|resend$|mining$|hashrate$|getWork$|submit)[A-Za-z0-9]+$/,
      /^(net|web3|zks|linea|rollup|optimism)_[A-Za-z0-9]+$/,
    ],
  },
  solana: {
    name: 'Solana',
    address: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
    signature: 'base58',
    accountType: 'eoa',
    listedChain: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    hasLogin: true,
    walletConnectMethods: [
      'solana_signMessage',
      'solana_signTransaction',
      'solana_requestAccounts',
      'solana_getAccounts',
      'solana_signAllTransactions',
      'solana_signAndSendTransaction',
    ],
    nodeMethods: [/^(get|is|simulate|minimum)[A-Za-z0-9]+$/, /^(sendTransaction|requestAirdrop)$/],
  },
  polkadot: {
    name: 'Polkadot',
    address: /^[1-9A-HJ-NP-Za-km-z]{45,50}$/,
    signature: 'hex',
    accountType: 'eoa',
    walletConnectMethods: [],
    nodeMethods: [
      /^(chain|chainHead|chainSpec|state|payment|transaction|archive|author)_(?!rotate|insert|remove|has)[A-Za-z0-9_]+$/,
      /^(rpc_methods|system_(health|chain|chainType|name|properties|version|accountNextIndex))$/,
    ],
  },
  bip122: {
    name: 'Bitcoin',
    address: /^[a-zA-Z0-9]{26,90}$/,
    signature: 'base64',
    accountType: 'payment',
    listedChain: 'bip122:000000000019d6689c085ae165831e93',
    walletConnectMethods: ['sendTransfer', 'signMessage', 'signPsbt', 'getAccountAddresses'],
    nodeMethods: [
      /^(get(block(?!frompeer)|tx|mempool|chain|best|network|index)[a-z0-9]*|getraw(transaction|mempool)|(decode|send)rawtransaction|estimate(smart|raw)?fee|scantxoutset|getAddressBalance)$/,
    ],
  },
  cosmos: {
    name: 'Cosmos',
    address: /^[a-z][a-z0-9]{0,82}1[ac-hj-np-z02-9]{38,58}$/,
    signature: 'json',
    walletConnectMethods: [],
    nodeMethods: [
      /^(abci_(info|query)|block(chain|_by_hash|_results|_search)?|broadcast_tx_(sync|async|commit)|commit|consensus_params|genesis|header|health|status|tx(_search)?|validators)$/,
    ],
  },
}
