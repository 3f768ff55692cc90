import type { GrantedNamespaces, ProposedNamespace, ProposedNamespaces } from './schemas.ts'

/** Returns a namespace's chains. If its key `name` is a chain ID, that is the only chain. */
function chainsOf(name: string, { chains }: ProposedNamespace): readonly string[] {
  return name.includes(':') ? [name] : (chains ?? [])
}

/** Returns the CAIP-2 chain ID of a CAIP-10 account. */
function chainOfAccount(account: string): string {
  return account.split(':').slice(0, 2).join(':')
}

/**
 * Returns all chains on which a session has accounts.
 *
 * @example
 * const chains = grantedChains(session.namespaces) // ['eip155:1', …]
 */
export function grantedChains(granted: GrantedNamespaces): readonly string[] {
  return [...new Set(Object.values(granted).flatMap(({ accounts }) => accounts.map(chainOfAccount)))]
}

/** Returns the reason why `granted` is invalid or does not satisfy `required`. Returns `undefined` if `granted` is valid. */
export function validateNamespaces(granted: GrantedNamespaces, required: ProposedNamespaces): string | undefined {
  for (const [name, { accounts, chains }] of Object.entries(granted)) {
    const prefix = name.split(':')[0]
    if (accounts.length === 0) return `${name} has no account`
    if (accounts.some((account) => account.split(':').length !== 3 || account.split(':')[0] !== prefix))
      return `${name} has an invalid account (CAIP-10)`
    if ([...chainsOf(name, { chains, methods: [], events: [] })].some((chain) => chain.split(':')[0] !== prefix))
      return `${name} has a chain of another namespace`
  }
  if (Object.keys(granted).length === 0) return 'no namespace'
  for (const [name, namespace] of Object.entries(required)) {
    const prefix = name.split(':')[0]
    const matching = Object.entries(granted).filter(([key]) => key.split(':')[0] === prefix)
    const has = (part: 'methods' | 'events') => new Set(matching.flatMap(([, namespace]) => namespace[part]))
    const chains = new Set(matching.flatMap(([, namespace]) => namespace.accounts.map(chainOfAccount)))
    if (chainsOf(name, namespace).some((chain) => !chains.has(chain))) return `${name} lacks a required chain`
    if (namespace.methods.some((method) => !has('methods').has(method))) return `${name} lacks a required method`
    if (namespace.events.some((event) => !has('events').has(event))) return `${name} lacks a required event`
  }
  return undefined
}

/**
 * Whether a session grants the method or event `name` on `chain`.
 *
 * @example
 * if (allows(session.namespaces, 'eip155:1', 'methods', 'personal_sign')) offerSignature()
 */
export function allows(granted: GrantedNamespaces, chain: string, part: 'methods' | 'events', name: string): boolean {
  return Object.entries(granted).some(([prefix, namespace]) => {
    if (prefix !== chain && prefix !== chain.split(':')[0]) return false
    return namespace[part].includes(name) && namespace.accounts.some((account) => chainOfAccount(account) === chain)
  })
}
