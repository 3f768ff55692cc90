import type { Namespace } from '@latchkey/protocol/caip'

const names: Readonly<Record<Namespace, string>> = {
  eip155: 'Ethereum',
  solana: 'Solana',
  polkadot: 'Polkadot',
  bip122: 'Bitcoin',
  cosmos: 'Cosmos',
}

/** What people call a family of networks; a proper name, the same in all languages. */
export function namespaceName(namespace: Namespace): string {
  return names[namespace]
}
