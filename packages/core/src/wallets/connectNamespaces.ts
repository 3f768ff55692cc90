import type { Namespace } from '@latchkey/protocol/caip'
import type { Log } from '../lib/log.ts'

/**
 * Connects a wallet in every namespace that it supports. The first supported namespace in `preferred` becomes active, or else the
 * first of `namespaces`. Resolves to the session in the active namespace, or rejects if that namespace cannot be connected.
 * Errors in the other namespaces are only logged.
 */
export async function connectNamespaces<Session>(params: {
  readonly namespaces: readonly [Namespace, ...Namespace[]]
  readonly preferred: readonly (Namespace | undefined)[]
  readonly walletName: string
  readonly log: Pick<Log, 'warn'>
  /** Connects `namespace`. A `secondary` namespace does not become the active one. */
  connect(params: { namespace: Namespace; secondary: boolean }): Promise<Session>
}): Promise<Session> {
  const { namespaces, preferred, walletName, connect, log } = params
  const first =
    preferred.find((namespace) => namespace !== undefined && namespaces.includes(namespace)) ?? namespaces[0]
  const session = await connect({ namespace: first, secondary: false })
  for (const namespace of namespaces) {
    if (namespace === first) continue
    await connect({ namespace, secondary: true }).catch((error: unknown) =>
      log.warn(`${walletName} was not connected on ${namespace}`, error),
    )
  }
  return session
}
