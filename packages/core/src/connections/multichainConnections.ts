import type { Connector } from '../adapter.ts'
import type { LiveSession } from './liveSession.ts'

/**
 * Returns the sessions whose connectors match, and the sessions that end together with them, because some types of connectors
 * share one connection between several namespaces.
 */
export function withMultichainConnections(
  all: readonly LiveSession[],
  matches: (connector: Connector) => boolean,
): readonly LiveSession[] {
  const matching = all.filter(({ session }) => matches(session.connector))
  const shared = matching
    .map(({ session }) => session.connector)
    .filter(({ type }) => type === 'WALLET_CONNECT' || type === 'AUTH')
  return all.filter((entry) => matching.includes(entry) || shared.some(({ id }) => id === entry.session.connector.id))
}
