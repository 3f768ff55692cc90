import { createMemoryQuota, type MemoryQuota } from '../memoryQuota.ts'
import type { Clock } from '../serverDependencies.ts'
import type { RelayClient } from './authenticator.ts'
import { createUsage, type Owner, type Usage, type UsageEntry } from './quotaUsage.ts'
import { createTokenBuckets, type TokenBucketRate } from './tokenBucket.ts'

/** Limits on concurrent use, per owner. A wider address group's limits are multiplied by its share. */
export interface UsageLimits {
  readonly process: number
  readonly address: number
  readonly client: number
}

/** Limits on how connections use a process. */
export interface ClientQuotaLimits {
  /** Open connections. */
  readonly open: UsageLimits & { readonly project: number }
  /** Bytes in the send buffers of slow clients, plus bytes of calls that have arrived, at least in part, and are not yet answered. */
  readonly bytes: Omit<UsageLimits, 'address'> & { readonly connection: number }
  /** Subscribed topics. */
  readonly topics: UsageLimits
  /** The cost of calls: bytes received and sent, plus a price per call and topic. */
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

/** The share of a client with an unknown address, equal to that of an IPv6 network. */
const unknownShare = 8

/** Why a connection is closed to protect others. */
export type Eviction = 'connections' | 'unread' | 'input' | 'topics'

/** The resources of a process that a connection uses. */
export interface Lease {
  /** Sets the number of bytes that the client has not read. */
  unread(bytes: number): void
  /** Sets the number of received bytes that are not processed yet. */
  input(bytes: number): void
  /** Reserves `count` topics. A negative number releases them. Returns whether they fit. */
  topics(count: number): boolean
  charge(cost: number): void
  /** Returns how long the next call must wait, in milliseconds. */
  waitMs(): number
  end(): void
}

/** Tracks and limits the resources that connections use. */
export interface ClientQuotas {
  /**
   * Opens a lease for a connection, or returns `undefined` if there are too many. `evict` is called if the connection must be closed
   * because it uses the most.
   */
  open(client: RelayClient, evict: (why: Eviction) => void): Lease | undefined
  /** Charges for a call made without a connection. */
  charge(client: RelayClient, cost: number): void
  waitMs(client: RelayClient): number
}

/** A connection below this size is not evicted when its address is full, because it is not the cause. */
const lightBytes = 16_384

interface Holder {
  readonly evict: (why: Eviction) => void
  /** Returns the bytes that the connection holds. */
  readonly heldBytesOfConnection: () => number
  /** Returns the reason for evicting the connection. */
  readonly reason: () => 'unread' | 'input'
}

/**
 * Creates the limits per client, address group, project and process. If a client or address exceeds its limit, it is rejected or its
 * heaviest connection is closed. If the total is exceeded, the heaviest group is evicted first, never a light connection.
 */
export function createClientQuotas({
  limits = clientQuotaLimits,
  heldBytes = createMemoryQuota(Number.POSITIVE_INFINITY),
  clock,
}: {
  limits?: ClientQuotaLimits
  /** [unlimited] Tracks all bytes held per address. */
  heldBytes?: MemoryQuota
  /** Monotonic. */
  clock: Clock
}): ClientQuotas {
  const open = createUsage<Holder>({ max: limits.open.process })
  const bytes = createUsage<Holder>({ max: limits.bytes.process })
  const topics = createUsage<Holder>({ max: limits.topics.process })
  const projects = new Map<string, Usage<Holder>>()
  const clientCost = createTokenBuckets(limits.cost.client, clock)
  const addressCost = createTokenBuckets(limits.cost.address, clock)
  let lastConnectionId = 0

  const ownerPath = (
    { groups, clientId: client }: RelayClient,
    usageLimits: Omit<UsageLimits, 'address'> & { readonly address?: number },
    connection: string,
    maxPerConnection = usageLimits.client,
  ): Owner[] => [
    ...groups.map(({ name, share }) => ({
      name,
      share,
      max: (usageLimits.address ?? Number.POSITIVE_INFINITY) * share,
    })),
    // A client with an unknown address is on the same level as networks and is compared with them. Clients at one address are only
    // compared with each other.
    { name: client, share: unknownShare, max: usageLimits.client },
    { name: connection, share: 1, max: maxPerConnection },
  ]

  const charge: ClientQuotas['charge'] = ({ clientId: client, groups }, cost) => {
    clientCost.charge(client, cost)
    for (const { name, share } of groups) addressCost.charge(name, cost, share)
  }
  const waitMs: ClientQuotas['waitMs'] = ({ clientId: client, groups }) =>
    groups.reduce((most, { name, share }) => Math.max(most, addressCost.waitMs(name, share)), clientCost.waitMs(client))

  /** Sets how much a connection holds. As long as a group then exceeds its limit, its heaviest connection is closed. */
  const setHeldBytes = (entry: UsageEntry<Holder>, { groups }: RelayClient, amount: number): void => {
    heldBytes.add(groups, amount - entry.amount)
    entry.add(amount - entry.amount)
    for (let [exceededAt] = entry.exceededBy(0); exceededAt !== undefined; [exceededAt] = entry.exceededBy(0)) {
      const heaviest = entry.heaviestAt(exceededAt)
      if (!heaviest) return
      heaviest.evict(heaviest.reason())
    }
    for (let group = heldBytes.exceeded(groups); group >= 0; group = heldBytes.exceeded(groups)) {
      // Position 0 is the total; the groups follow.
      const heaviest = entry.heaviestAt(group + 1)
      if (!heaviest || heaviest.heldBytesOfConnection() < lightBytes) return
      heaviest.evict(heaviest.reason())
    }
  }

  /**
   * Makes room for `amount`. If only the total is exceeded, the heaviest connection is closed. Returns whether the amount fits.
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
          if (isEnded) return
          unread = bytes
          setHeldBytes(byteEntry, client, unread + input)
        },
        input(bytes) {
          if (isEnded) return
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
