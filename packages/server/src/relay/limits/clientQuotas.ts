import { createMemoryQuota, type MemoryQuota } from '../../memoryLimits/memoryQuota.ts'
import type { Clock } from '../../serverDependencies.ts'
import type { RelayClient } from '../authenticator.ts'
import { createUsage, type Owner, type Usage, type UsageEntry } from './quotaUsage.ts'
import { createTokenBuckets, type TokenBucketRate } from './tokenBucket.ts'

/** The limits on concurrent use. For an address group, the address limit is multiplied by the group's share. */
export interface UsageLimits {
  readonly process: number
  readonly address: number
  readonly client: number
}

/** The limits on the resources of a process that connections use. */
export interface ClientQuotaLimits {
  /** The number of open connections. */
  readonly open: UsageLimits & { readonly project: number }
  /** The bytes in the send buffers of slow clients, plus the received bytes of calls that have not been answered yet. */
  readonly bytes: Omit<UsageLimits, 'address'> & { readonly connection: number }
  /** The number of subscribed topics. */
  readonly topics: UsageLimits
  /** The cost of calls: the bytes received and sent, plus a price per call and topic. */
  readonly cost: { readonly client: TokenBucketRate; readonly address: TokenBucketRate }
}

const mebibyte = 1_048_576

/** The default limits. */
export const clientQuotaLimits: ClientQuotaLimits = {
  open: { process: 10_000, project: 5_000, address: 300, client: 20 },
  bytes: { process: 64 * mebibyte, client: 8 * mebibyte, connection: 4 * mebibyte },
  topics: { process: 100_000, address: 20_000, client: 5_000 },
  cost: {
    client: { burst: 8 * mebibyte, perSecond: mebibyte / 2 },
    address: { burst: 32 * mebibyte, perSecond: 2 * mebibyte },
  },
}

/** The share of a client whose address is unknown. It equals the share of an IPv6 network. */
const unknownShare = 8

/** The reason why a connection is closed to protect other connections. */
export type Eviction = 'connections' | 'unread' | 'input' | 'topics'

/** The resources of a process that one connection uses. */
export interface Lease {
  /** Sets the number of sent bytes that the client has not read yet. */
  unread(bytes: number): void
  /** Sets the number of received bytes that have not been processed yet. */
  input(bytes: number): void
  /** Reserves `count` topics and returns whether there was room for them. A negative number releases topics. */
  topics(count: number): boolean
  charge(cost: number): void
  /** Returns how long the next call must wait, in milliseconds. */
  waitMs(): number
  end(): void
}

/** Tracks and limits the resources that connections use. */
export interface ClientQuotas {
  /**
   * Opens a lease for a connection. Returns `undefined` if there are too many connections. `evict` is called if the connection
   * must be closed because it uses the most resources.
   */
  open(client: RelayClient, evict: (why: Eviction) => void): Lease | undefined
  /** Charges a client for a call that was made without a connection. */
  charge(client: RelayClient, cost: number): void
  waitMs(client: RelayClient): number
}

/**
 * When an address exceeds its limit, a connection that uses fewer bytes than this is not evicted, because it is not the cause.
 */
const lightBytes = 16_384

interface Holder {
  readonly evict: (why: Eviction) => void
  /** Returns the number of bytes that the connection uses. */
  readonly heldBytesOfConnection: () => number
  /** Returns the reason to report if the connection is evicted. */
  readonly reason: () => 'unread' | 'input'
}

/**
 * Creates the limits per client, address group, project and process. A client or address that exceeds its own limit is rejected
 * or loses its heaviest connection. If the process exceeds its limit, the heaviest group loses a connection first.
 */
export function createClientQuotas({
  limits = clientQuotaLimits,
  heldBytes = createMemoryQuota(Number.POSITIVE_INFINITY),
  clock,
}: {
  limits?: ClientQuotaLimits
  /** Counts all bytes used per address. Default: unlimited. */
  heldBytes?: MemoryQuota
  /** Monotonic milliseconds. */
  clock: Clock
}): ClientQuotas {
  const open = createUsage<Holder>({ max: limits.open.process })
  const bytes = createUsage<Holder>({ max: limits.bytes.process })
  const topics = createUsage<Holder>({ max: limits.topics.process })
  const projects = new Map<string, Usage<Holder>>()
  const clientCost = createTokenBuckets(limits.cost.client, clock)
  const addressCost = createTokenBuckets(limits.cost.address, clock)
  let lastConnectionId = 0

  const charge: ClientQuotas['charge'] = ({ clientId: client, groups }, cost) => {
    clientCost.charge(client, cost)
    for (const { name, share } of groups) addressCost.charge(name, cost, share)
  }
  const waitMs: ClientQuotas['waitMs'] = ({ clientId: client, groups }) => {
    let most = clientCost.waitMs(client)
    for (const { name, share } of groups) most = Math.max(most, addressCost.waitMs(name, share))
    return most
  }

  /**
   * Sets the number of bytes that a connection uses. While any of its groups exceeds a limit, closes the heaviest connection in
   * that group.
   */
  const setHeldBytes = (entry: UsageEntry<Holder>, { groups }: RelayClient, amount: number): void => {
    const change = amount - entry.amount
    heldBytes.add(groups, change)
    entry.add(change)
    if (change <= 0) return
    for (let [exceededAt] = entry.exceededBy(0); exceededAt !== undefined; [exceededAt] = entry.exceededBy(0)) {
      const heaviest = entry.heaviestAt(exceededAt)
      if (!heaviest) return
      heaviest.evict(heaviest.reason())
    }
    for (let group = heldBytes.exceeded(groups); group >= 0; group = heldBytes.exceeded(groups)) {
      // Position 0 is the process, and the address groups follow.
      const heaviest = entry.heaviestAt(group + 1)
      if (!heaviest || heaviest.heldBytesOfConnection() < lightBytes) return
      heaviest.evict(heaviest.reason())
    }
  }

  /**
   * Makes room for `amount`. Closes the heaviest connection if only the process limit is exceeded. Returns whether there is room
   * now.
   */
  const makeRoom = (entry: UsageEntry<Holder>, amount: number, why: Eviction): boolean => {
    const [first, second] = entry.exceededBy(amount)
    if (first === undefined) return true
    if (first > 0 || second !== undefined || !entry.isLighter(0, amount)) return false
    entry.heaviestAt(0)?.evict(why)
    return true
  }

  return {
    open(client, evict) {
      let [isEnded, unread, input] = [false, 0, 0]
      const entries: UsageEntry<Holder>[] = []
      const end = (): void => {
        if (isEnded) return
        isEnded = true
        heldBytes.add(client.groups, -unread - input)
        for (const entry of entries) entry.leave()
        if (client.project !== undefined && projects.get(client.project)?.total === 0) projects.delete(client.project)
      }
      const holder: Holder = {
        evict(why) {
          end()
          evict(why)
        },
        heldBytesOfConnection: () => unread + input,
        reason: () => (unread > input ? 'unread' : 'input'),
      }
      lastConnectionId += 1
      const name = `${lastConnectionId}`
      const enter = (
        usage: Usage<Holder>,
        most: Parameters<typeof ownerPath>[1],
        maxPerConnection?: number,
      ): UsageEntry<Holder> => {
        const entry = usage.enter(ownerPath(client, most, name, maxPerConnection), holder)
        entries.push(entry)
        return entry
      }
      const connectionEntries = [enter(open, limits.open)]
      if (client.project !== undefined && limits.open.project > 0) {
        const projectUsage = projects.get(client.project) ?? createUsage<Holder>({ max: limits.open.project })
        projects.set(client.project, projectUsage)
        connectionEntries.push(enter(projectUsage, limits.open))
      }
      for (const entry of connectionEntries) {
        if (!makeRoom(entry, 1, 'connections')) {
          end()
          return undefined
        }
        entry.add(1)
      }
      const byteEntry = enter(bytes, limits.bytes, limits.bytes.connection)
      const topicEntry = enter(topics, limits.topics)
      return {
        unread(bytes) {
          // This is called for every frame, and the number is usually still 0.
          if (isEnded || bytes === unread) return
          unread = bytes
          setHeldBytes(byteEntry, client, unread + input)
        },
        input(bytes) {
          if (isEnded || bytes === input) return
          input = bytes
          setHeldBytes(byteEntry, client, unread + input)
        },
        topics(count) {
          if (isEnded || !makeRoom(topicEntry, count, 'topics')) return false
          topicEntry.add(count)
          return true
        },
        charge: (cost) => charge(client, cost),
        waitMs: () => waitMs(client),
        end,
      }
    },
    charge,
    waitMs,
  }
}

/** Returns the owners of a connection, from the address groups to the connection, with their limits. */
function ownerPath(
  { groups, clientId: client }: RelayClient,
  usageLimits: Omit<UsageLimits, 'address'> & { readonly address?: number },
  connection: string,
  maxPerConnection = usageLimits.client,
): Owner[] {
  return [
    ...groups.map(({ name, share }) => ({
      name,
      share,
      max: (usageLimits.address ?? Number.POSITIVE_INFINITY) * share,
    })),
    // A client with an unknown address is on the same level as networks and is compared with them. Clients with a known address
    // are compared only with clients at the same address.
    { name: client, share: unknownShare, max: usageLimits.client },
    { name: connection, share: 1, max: maxPerConnection },
  ]
}
