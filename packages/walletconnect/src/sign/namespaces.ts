import type { Granted, Proposed, ProposedNamespace } from './shapes.ts'

/** The chains that a namespace is about: named in it, or by its own name. */
function chainsOf(name: string, { chains }: ProposedNamespace): readonly string[] {
  return name.includes(':') ? [name] : (chains ?? [])
}

/** The CAIP-2 id of a CAIP-10 account. */
function chainOfAccount(account: string): string {
  return account.split(':').slice(0, 2).join(':')
}

/** All chains that a session has accounts on. */
export function grantedChains(granted: Granted): readonly string[] {
  return [...new Set(Object.values(granted).flatMap(({ accounts }) => accounts.map(chainOfAccount)))]
}

/** Why `granted` is no answer to what was required, or `undefined` when it is one. */
export function shortfall(granted: Granted, required: Proposed): string | undefined {
  for (const [name, { accounts, chains }] of Object.entries(granted)) {
    const space = name.split(':')[0]
    if (accounts.length === 0) return `${name} has no account`
    if (accounts.some((account) => account.split(':').length !== 3 || account.split(':')[0] !== space))
      return `${name} has an account that is not CAIP-10`
    if ([...chainsOf(name, { chains, methods: [], events: [] })].some((chain) => chain.split(':')[0] !== space))
      return `${name} has a chain of another namespace`
  }
  if (Object.keys(granted).length === 0) return 'no namespace'
  for (const [name, wanted] of Object.entries(required)) {
    const space = name.split(':')[0]
    const given = Object.entries(granted).filter(([each]) => each.split(':')[0] === space)
    const has = (part: 'methods' | 'events') => new Set(given.flatMap(([, one]) => one[part]))
    const chains = new Set(given.flatMap(([, one]) => one.accounts.map(chainOfAccount)))
    if (chainsOf(name, wanted).some((chain) => !chains.has(chain))) return `${name} lacks a chain that is needed`
    if (wanted.methods.some((method) => !has('methods').has(method))) return `${name} lacks a method that is needed`
    if (wanted.events.some((event) => !has('events').has(event))) return `${name} lacks an event that is needed`
  }
  return undefined
}

/** Whether a session allows `part` called `name` on `chain`. */
export function allows(granted: Granted, chain: string, part: 'methods' | 'events', name: string): boolean {
  return Object.entries(granted).some(([space, one]) => {
    if (space !== chain && space !== chain.split(':')[0]) return false
    return one[part].includes(name) && one.accounts.some((account) => chainOfAccount(account) === chain)
  })
}
