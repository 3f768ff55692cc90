/** A chain family that this wallet supports. */
export type Family = 'eip155' | 'solana'

/** The methods and events that this wallet can grant. `eth_sign` is excluded because it signs an opaque hash. */
export const supportedMethods: Readonly<
  Record<Family, { readonly methods: readonly string[]; readonly events: readonly string[] }>
> = {
  eip155: {
    methods: [
      'eth_accounts',
      'eth_requestAccounts',
      'personal_sign',
      'eth_signTypedData',
      'eth_signTypedData_v4',
      'eth_sendTransaction',
      'eth_signTransaction',
      'wallet_switchEthereumChain',
      'wallet_addEthereumChain',
      'wallet_getCapabilities',
    ],
    events: ['chainChanged', 'accountsChanged'],
  },
  solana: {
    methods: [
      'solana_getAccounts',
      'solana_requestAccounts',
      'solana_signMessage',
      'solana_signTransaction',
      'solana_signAllTransactions',
      'solana_signAndSendTransaction',
    ],
    events: ['chainChanged', 'accountsChanged'],
  },
}

const descriptions: readonly (readonly [RegExp, string])[] = [
  [/accounts$/i, 'See your addresses'],
  [/^(personal_sign|solana_signMessage)$/, 'Ask you to sign messages'],
  [/^eth_signTypedData/, 'Ask you to sign structured data'],
  [/send/i, 'Ask you to send transactions'],
  [/^(eth_signTransaction|solana_sign(All)?Transactions?)$/, 'Ask you to sign transactions to send later'],
  [/Chain$/, 'Ask you to switch networks'],
]

/** Returns user-facing descriptions of `methods`, without duplicates. Omits methods that have no description. */
export function describeMethods(methods: readonly string[]): readonly string[] {
  return descriptions.filter(([pattern]) => methods.some((method) => pattern.test(method))).map(([, words]) => words)
}
