import type { IdentityAnswer } from '@latchkey/protocol/http/chainApi'
import { sanitizeName } from '@latchkey/protocol/untrustedNames'
import { getAddress, isAddressEqual } from 'viem'
import { normalize } from 'viem/ens'
import { HttpError, notConfigured } from '../../errors/httpError.ts'
import type { PublicFetch } from '../../http/publicFetch.ts'
import type { Clock } from '../../serverDependencies.ts'
import { familyOfAddress } from '../addresses.ts'
import type { AccountNames, IdentityReader } from '../chainApiTypes.ts'
import { isRevert, NodeCallError, type NodeClient, nodeCause } from '../nodeClient.ts'
import { readLifetimesMs } from '../readCache.ts'
import { avatarUrl } from './avatarUrl.ts'
import { createCcipGateways } from './ccipGateways.ts'

/** How long clients can cache the response for an address that cannot have a name, in seconds. */
const namelessMaxAge = 3_600
/**
 * How long clients can cache a response that the server does not cache, in seconds. The server's own names can change at any
 * time.
 */
const unrememberedMaxAge = 60
const none: IdentityAnswer = { name: null, avatar: null, resolvedAt: null }

type NameWithAvatar = Pick<IdentityAnswer, 'name' | 'avatar'>

/**
 * Creates the reader for names. The primary ENS name of an address is read from the chain that has ENS, and counts only if it
 * resolves to the address. It is cached for 24 hours, unless a gateway did not respond. Without an ENS name, the server's own
 * names are used, which are not cached.
 */
export function createIdentityReader({
  nodes,
  names,
  publicFetch,
  ipfsGateway,
  now,
}: {
  nodes: NodeClient
  names: AccountNames | undefined
  /** Contacts the gateways of name resolvers. */
  publicFetch: PublicFetch
  /** The URL of the gateway for `ipfs:` images. `undefined` if such images are omitted. */
  ipfsGateway: string | undefined
  /** Epoch milliseconds. */
  now: Clock
}): IdentityReader {
  async function fromEns(
    chainId: string,
    universalResolverAddress: `0x${string}`,
    address: `0x${string}`,
    signal: AbortSignal,
  ): Promise<NameWithAvatar> {
    const gateways = createCcipGateways({ publicFetch, signal })
    const client = await nodes.client(chainId, signal, { ccipRead: gateways.request })
    const read = async (): Promise<NameWithAvatar> => {
      const name = await orNone(client.getEnsName({ address, universalResolverAddress }), signal)
      // A name that is not normalized could be displayed like another one.
      if (!name || name.length > 255 || !isNormalized(name)) return none
      const resolved = await orNone(client.getEnsAddress({ name, universalResolverAddress }), signal)
      if (!resolved || !isAddressEqual(resolved, address)) return none
      const record = await orNone(client.getEnsText({ name, key: 'avatar', universalResolverAddress }), signal)
      return { name, avatar: avatarUrl(record, ipfsGateway) }
    }
    const found = await read()
    // A gateway failure is not cached. Otherwise, the name would be missing for a day.
    if (gateways.hasFailed()) throw new GatewayFailure(found)
    return found
  }

  /** Resolves to the ENS records for an address. `readAt` is `undefined` if they are not cached. */
  async function readEns(
    address: `0x${string}`,
    { signal, isForced }: { signal: AbortSignal; isForced: boolean },
  ): Promise<NameWithAvatar & { readonly readAt?: number }> {
    const chain = [...nodes.chains.values()].find(({ ens }) => ens)
    const resolver = chain?.ens?.universalResolver
    if (!chain || !resolver || !(await nodes.hasCode(chain.chainId, resolver, signal))) return none
    try {
      return await nodes.read({
        kind: 'identity',
        key: address,
        signal,
        isForced,
        load: async (shared) => ({ ...(await fromEns(chain.chainId, resolver, address, shared)), readAt: now() }),
      })
    } catch (error) {
      if (error instanceof GatewayFailure) return error.found
      throw error
    }
  }

  async function fromOwnNames(address: string): Promise<NameWithAvatar> {
    const [profile] = (await names?.findByAddress(address)) ?? []
    return profile ? { name: profile.name, avatar: avatarUrl(profile.attributes?.avatar, ipfsGateway) } : none
  }

  return {
    async identity(address, { signal, isForced }) {
      if (familyOfAddress(address) !== 'eip155') return { answer: none, maxAge: namelessMaxAge }
      if (!names && ![...nodes.chains.values()].some(({ ens }) => ens))
        throw notConfigured('address', 'This server is not configured for names')
      const plain = getAddress(address.toLowerCase())
      const { name, avatar, readAt } = await readEns(plain, { signal, isForced })
      if (readAt === undefined || (name === null && names)) {
        const found = name === null ? await fromOwnNames(plain) : { name, avatar }
        const { name: shown, avatar: image } = found
        return {
          answer: { name: shown, avatar: image, resolvedAt: new Date(now()).toISOString() },
          maxAge: unrememberedMaxAge,
        }
      }
      const maxAge = Math.floor((readAt + readLifetimesMs.identity - now()) / 1000)
      return {
        answer: { name, avatar, resolvedAt: new Date(readAt).toISOString() },
        maxAge: Math.min(readLifetimesMs.identity / 1000, Math.max(0, maxAge)),
      }
    },
  }
}

/** Contains the records that were found although a gateway did not respond. */
class GatewayFailure extends Error {
  readonly found: NameWithAvatar
  constructor(found: NameWithAvatar) {
    super('A gateway did not respond')
    this.found = found
  }
}

/**
 * Resolves to `undefined` if an ENS contract reverted, or if the name's gateways did not respond, because the owner of the name
 * chooses both. Rejects if the chain's nodes did not respond.
 */
async function orNone<Value>(reading: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
  return reading.catch((error: unknown) => {
    const cause = nodeCause(error)
    if (signal.aborted || cause instanceof HttpError) throw error
    if (cause instanceof NodeCallError && !isRevert(cause)) throw error
    return undefined
  })
}

function isNormalized(name: string): boolean {
  try {
    return normalize(name) === name && sanitizeName(name, 255) === name
  } catch {
    return false
  }
}
