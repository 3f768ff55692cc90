/**
 * The chain API, with which pages request the balances, history, names, prices and swaps of accounts from a server, at `/v1/`.
 * The paths and field names come from section 7 of the specification. Fields marked "Added by Latchkey" are optional, and absent
 * on other servers.
 */
export * from './account.ts'
export type { ChainQuery } from './commonQuery.ts'
export * from './convert.ts'
export * from './errors.ts'
export * from './identity.ts'
export * from './onramp.ts'
export * from './price.ts'
export * from './profile.ts'
export * from './smartSessions.ts'
export * from './supportedChains.ts'
