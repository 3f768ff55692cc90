import { shownName } from '@latchkey/protocol/displayName'
import type { IdentityAnswer } from '@latchkey/protocol/http/chain'
import { getAddress, isAddressEqual } from 'viem'
import { normalize } from 'viem/ens'
import { HttpError, notConfigured } from '../../errors/httpError.ts'
import type { PublicFetch } from '../../http/publicFetch.ts'
import type { Clock } from '../../serverDependencies.ts'
import { familyOfAddress } from '../accountFamily.ts'
import type { AccountNames, IdentityReader } from '../chainApi.ts'
import type { ChainConfig } from '../chainConfig.ts'
import { isRevert } from '../convert/contractCalls.ts'
import { NodeCallError, type NodeClient, nodeCause } from '../nodeClient.ts'
import { readLifetimesMs } from '../sharedReads.ts'
import { avatarUrl } from './avatarUrl.ts'
import { createCcipGateways } from './ccipGateways.ts'

/** How long clients can cache the response for an address that cannot have a name, in seconds. */
const namelessMaxAge = 3_600
const none: IdentityAnswer = { name: null, avatar: null, resolvedAt: null }

/**
 * Creates the reader for names. The primary ENS name of an address is read from the chain that has ENS, and counts only if it
 * resolves to the address. Otherwise, the server's own names are used. Results are remembered for 24 hours.
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
  /** The URL of the gateway for `ipfs:` images. `undefined` if such images are left out. */
  ipfsGateway: string | undefined
  /** Epoch milliseconds. */
  now: Clock
}): IdentityReader {
  async function fromEns(
    { chainId, ens }: ChainConfig,
    address: `0x${string}`,
    signal: AbortSignal,
  ): Promise<Pick<IdentityAnswer, 'name' | 'avatar'> | undefined> {
    const universalResolverAddress = ens?.universalResolver
    if (!universalResolverAddress || !(await nodes.hasCode(chainId, universalResolverAddress, signal))) return undefined
    const client = await nodes.client(chainId, signal, { ccipRead: createCcipGateways({ publicFetch, signal }) })
    const name = await orNone(client.getEnsName({ address, universalResolverAddress }), signal)
    // A name that is not normalized could be displayed like another one.
    if (!name || name.length > 255 || !isNormalized(name)) return undefined
    const resolved = await orNone(client.getEnsAddress({ name, universalResolverAddress }), signal)
    if (!resolved || !isAddressEqual(resolved, address)) return undefined
    const record = await orNone(client.getEnsText({ name, key: 'avatar', universalResolverAddress }), signal)
    return { name, avatar: avatarUrl(record, ipfsGateway) }
  }

  async function fromOwnNames(address: string): Promise<Pick<IdentityAnswer, 'name' | 'avatar'> | undefined> {
    const [profile] = (await names?.findByAddress(address)) ?? []
    if (!profile) return undefined
    return { name: profile.name, avatar: avatarUrl(profile.attributes?.avatar, ipfsGateway) }
  }

  return {
    async identity(address, { signal, isForced }) {
      if (familyOfAddress(address) !== 'eip155') return { answer: none, maxAge: namelessMaxAge }
      const chain = [...nodes.chains.values()].find(({ ens }) => ens)
      if (!chain && !names) throw notConfigured('address', 'This server is not configured for names')
      const plain = getAddress(address.toLowerCase())
      const { answer, readAt } = await nodes.read({
        kind: 'identity',
        key: plain,
        signal,
        isForced,
        load: async (shared) => {
          const found = (chain && (await fromEns(chain, plain, shared))) ?? (await fromOwnNames(plain))
          const at = now()
          const { name, avatar } = found ?? none
          return { answer: { name, avatar, resolvedAt: new Date(at).toISOString() }, readAt: at }
        },
      })
      const maxAge = Math.floor((readAt + readLifetimesMs.identity - now()) / 1000)
      return { answer, maxAge: Math.min(readLifetimesMs.identity / 1000, Math.max(0, maxAge)) }
    },
  }
}

/**
 * Resolves to `undefined` if a contract of the name system reverted, or if the name's gateways did not respond: both are chosen by
 * the owner of the name. Rejects if the chain's nodes did not respond.
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
    return normalize(name) === name && shownName(name, 255) === name
  } catch {
    return false
  }
}
