import { chainIdOfCoinType, everyEvmChain, isEnsZone } from '@latchkey/protocol/accountNames'
import type { Clock } from '@latchkey/protocol/clock'
import { toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { addressIn, hasChecksum } from '@latchkey/protocol/recipientAddress'
import { chainAnswerMs, debounceMs } from '@latchkey/protocol/specificationConstants'
import type { Adapter, Network, Session } from '../../adapter.ts'
import { abortable } from '../../lib/abortable.ts'
import { delay } from '../../lib/delay.ts'
import type { AccountNames } from '../accountNamesTypes.ts'
import { isPublicSuffix } from './publicSuffix.ts'
import type { SendRecipient } from './sendTypes.ts'

/** The account, network and adapter for which a recipient is looked up. */
export interface LookupSubject {
  readonly network: Network
  readonly session: Session | undefined
  readonly adapter: Adapter | undefined
}

/** Looks up the recipient that the user enters. */
export interface RecipientLookup {
  /**
   * Looks up `text`. `found` is called immediately and when the result is known, but not after the next call of `start` or
   * `stop`, so that a late response never replaces the recipient for a later text. With `now`, the lookup does not wait until the
   * user stops typing.
   */
  start(text: string, params: { readonly subject: LookupSubject | undefined; readonly now?: boolean }): void
  stop(): void
}

/** Creates the lookup of recipients. */
export function createRecipientLookup(dependencies: {
  readonly clock: Clock
  readonly fetch: typeof fetch | undefined
  /** Loads the server's account names, if there are any. */
  names(): Promise<AccountNames | undefined>
  /**
   * The hosts of the server and of the page, in this order. The server only resolves names in a zone that is one of their
   * domains.
   */
  readonly hosts: readonly string[]
  found(recipient: SendRecipient): void
}): RecipientLookup {
  const { clock, fetch, names, hosts, found } = dependencies
  let current = new AbortController()

  /** Reports the recipient with its checksummed address, and again when the address's name and image are known. */
  const describe = async (
    {
      text,
      address,
      name,
      resolver,
    }: {
      readonly text: string
      readonly address: string
      readonly name?: string
      readonly resolver?: string | undefined
    },
    { network, session, adapter }: LookupSubject,
    signal: AbortSignal,
  ): Promise<void> => {
    const spelled = network.chainNamespace === 'eip155' ? await adapter?.checksumAddress?.(address) : undefined
    if (signal.aborted) return
    const canonical = spelled ?? address
    const named = { ...(name !== undefined && { name }), ...(resolver !== undefined && { resolver }) }
    const recipient = { text, address: canonical, ...named }
    // Name services return bytes, so only an address that the user entered can have a wrong checksum.
    const isWrong = name === undefined && spelled !== undefined && hasChecksum(address) && address !== spelled
    found({ ...recipient, status: isWrong ? 'wrong-checksum' : 'ready' })
    const identity = await adapter
      ?.identity?.({ address: canonical, network, signal, ...(session && { session }), ...(fetch && { fetch }) })
      .catch(() => undefined)
    if (signal.aborted || isWrong || !identity?.name || (name !== undefined && identity.name !== name)) return
    found({
      ...recipient,
      status: 'ready',
      name: identity.name,
      ...(identity.image !== undefined && { image: identity.image }),
    })
  }

  const resolveName = async (
    name: string,
    { network, session, adapter }: LookupSubject,
    signal: AbortSignal,
  ): Promise<{ readonly address: string | undefined; readonly resolver?: string | undefined }> => {
    const own = await names()
    const zone = await own?.zone()
    // Names in the server's zone only have EVM addresses.
    if (own && zone && name.endsWith(`.${zone}`) && isOwnZone(zone, hosts) && network.chainNamespace === 'eip155') {
      // Servers cannot register labels with other characters, so such a name could only imitate a registered one.
      const isRegistrable = /^[a-z0-9-]+$/.test(name.slice(0, -zone.length - 1))
      const profile = isRegistrable ? await own.lookup(name) : undefined
      return { address: profile && addressOnChain(profile.addresses, Number(network.id)), resolver: hosts[0] }
    }
    const params = { name, network, signal, ...(session && { session }), ...(fetch && { fetch }) }
    return { address: await adapter?.resolveName?.(params) }
  }

  const look = async (
    text: string,
    params: { readonly subject: LookupSubject | undefined; readonly now?: boolean },
    signal: AbortSignal,
  ): Promise<void> => {
    const { subject, now } = params
    if (!subject) return
    const address = addressIn(text, subject.network.chainNamespace, subject.network.caipNetworkId)
    if (address) return describe({ text, address }, subject, signal)
    if (!now) await delay({ clock, ms: debounceMs, signal })
    if (signal.aborted) return
    // Name services treat compatibility characters, such as full-width letters, like the plain ones.
    const name = text.trim().normalize('NFKC').toLowerCase()
    if (!isName(name)) return found({ text, status: 'invalid' })
    const late = clock.after(chainAnswerMs, () => current.signal === signal && current.abort())
    const { address: resolved, resolver } = await abortable(resolveName(name, subject, signal), signal).finally(late)
    const parsed = resolved && addressIn(resolved, subject.network.chainNamespace)
    if (signal.aborted) return
    if (!parsed) return found({ text, status: 'unknown-name' })
    return describe({ text, address: parsed, name, resolver }, subject, signal)
  }

  return {
    start(text, params) {
      current.abort()
      current = new AbortController()
      const mine = current
      if (text.trim() === '') return found({ text, status: 'empty' })
      found({ text, status: 'checking' })
      look(text, params, mine.signal).catch((error: unknown) => {
        // A timeout aborts this lookup's own controller. Later lookups have a different one.
        if (mine === current) found({ text, status: 'failed', error: toLatchkeyError(error) })
      })
    },
    stop: () => current.abort(),
  }
}

/** Whether text can be a name: several labels that are separated by dots. */
function isName(text: string): boolean {
  return text.length <= 255 && /^[^\s:/\\@.]+(\.[^\s:/\\@.]+)+$/u.test(text)
}

/**
 * Whether a server can resolve the names of a zone: it is the domain of the page or of the server, or a parent of one, and
 * neither an ENS domain nor a public suffix, under which names belong to different people.
 */
function isOwnZone(zone: string, hosts: readonly string[]): boolean {
  return !isEnsZone(zone) && !isPublicSuffix(zone) && hosts.some((host) => host === zone || host.endsWith(`.${zone}`))
}

/**
 * Returns the address of a name on a chain: the one for the chain, or the one for all EVM chains. The one for Ethereum can be a
 * contract, which does not exist on other chains.
 */
function addressOnChain(
  addresses: Readonly<Record<string, { readonly address: string }>>,
  chainId: number,
): string | undefined {
  const forChain = Object.keys(addresses).find((type) => chainIdOfCoinType(Number(type)) === chainId)
  return addresses[forChain ?? String(everyEvmChain)]?.address
}
