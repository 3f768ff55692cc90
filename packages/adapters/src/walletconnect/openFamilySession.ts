import type { Session } from '@latchkey/core/adapter'
import type { Namespace } from '@latchkey/protocol/caip'
import type { NamespaceSessionInput } from './namespaceSession.ts'

/** Opens the part of a settled session that its connector is about. What each family takes is loaded when it is first opened. */
export async function openFamilySession(opening: NamespaceSessionInput): Promise<Session> {
  const { namespace } = opening.connector
  // The connector says which family it is of; TypeScript does not see that the rest follows it.
  const of = <N extends Namespace>() => opening as unknown as NamespaceSessionInput<N>
  switch (namespace) {
    case 'eip155':
      return (await import('./evmSession.ts')).openEvm(of())
    case 'solana':
      return (await import('./solanaSession.ts')).openSolana(of())
    case 'bip122':
      return (await import('./bitcoinSession.ts')).openBip122(of())
    case 'polkadot':
      return (await import('./polkadotSession.ts')).openPolkadot(of())
    case 'cosmos':
      return (await import('./cosmosSession.ts')).openCosmos(of())
  }
}
