import { connectMethodsWithoutWallet, connectMethodsWithWallet } from '@latchkey/protocol/specificationConstants'
import type { ConnectorGroup } from '../latchkeyTypes.ts'
import type { ConnectMethod } from '../options.ts'

/** Returns the available connect methods in display order. */
export function connectMethodsOrder(now: {
  shown: readonly ConnectorGroup[]
  configured: readonly ConnectMethod[] | undefined
  works: Readonly<Record<ConnectMethod, boolean>>
}): readonly ConnectMethod[] {
  const here = now.shown.some(({ members }) => members.some(({ type }) => type === 'INJECTED' || type === 'ANNOUNCED'))
  const order: readonly ConnectMethod[] = here ? connectMethodsWithWallet : connectMethodsWithoutWallet
  return (now.configured ?? order).filter((method) => now.works[method])
}
