import type { Session } from '@latchkey/core/adapter'
import type { Namespace } from '@latchkey/protocol/caip'
import type { NamespaceSessionInput } from './namespaceSession.ts'

/** Opens the connector's namespace in a settled session. The code for each chain family is loaded on first use. */
export async function loadNamespaceSession(opening: NamespaceSessionInput): Promise<Session> {
  const { namespace } = opening.connector
  // The connector's namespace determines the types of the other parameters, but TypeScript cannot infer them.
  const of = <N extends Namespace>() => opening as unknown as NamespaceSessionInput<N>
  switch (namespace) {
    // #region generated: families (npm run generate)
    case 'eip155':
      return (await import('./evmSession.ts')).openEvm(of())
    case 'solana':
      return (await import('./solanaSession.ts')).openSolana(of())
    case 'polkadot':
      return (await import('./polkadotSession.ts')).openPolkadot(of())
    case 'bip122':
      return (await import('./bitcoinSession.ts')).openBip122(of())
    case 'cosmos':
      return (await import('./cosmosSession.ts')).openCosmos(of())
    // #endregion
  }
}
