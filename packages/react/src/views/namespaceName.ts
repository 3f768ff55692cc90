import type { Namespace } from '@latchkey/protocol/caip'

const names: Readonly<Record<Namespace, string>> = {
  // #region generated: families (npm run generate)
  eip155: 'Ethereum',
  solana: 'Solana',
  polkadot: 'Polkadot',
  bip122: 'Bitcoin',
  cosmos: 'Cosmos',
  // #endregion
}

/** Returns the common name of a namespace, which is the same in all languages. */
export function namespaceName(namespace: Namespace): string {
  return names[namespace]
}
