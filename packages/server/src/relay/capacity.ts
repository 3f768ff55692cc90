import { createHeldBytes, type HeldBytes } from '../heldBytes.ts'
import type { Clock } from '../ports.ts'
import { type AllowanceRate, createAllowances } from './allowance.ts'
import type { Guest } from './door.ts'
import { createUsage, type Owner, type Usage, type UsageEntry } from './usage.ts'

/** How much of something may be used at once, by whom. Wider address groups may use as many times as much as their share. */
export interface UsageLimits {
  readonly process: number
  readonly address: number
  readonly client: number
}

/** What connections may use of a process. */
export interface CapacityLimits {
  /** Open connections. */
  readonly open: UsageLimits & { readonly project: number }
  /** Bytes that wait for clients that do not read, and of calls that have come in, in part or whole, and are not yet answered. */
  readonly bytes: Omit<UsageLimits, 'address'> & { readonly connection: number }
  /** Topics that are listened on. */
  readonly topics: UsageLimits
  /** What calls cost: the bytes that come in and go out, and a price per call and topic. */
  readonly cost: { readonly client: AllowanceRate; readonly address: AllowanceRate }
}

const mebibyte = 1_048_576

/** The limits that nobody has set. */
export const capacityLimits: CapacityLimits = {
  open: { process: 10_000, project: 5_000, address: 300, client: 20 },
  bytes: { process: 64 * mebibyte, client: 8 * mebibyte, connection: 4 * mebibyte },
  topics: { process: 100_000, address: 20_000, client: 5_000 },
  cost: {
    client: { burst: 8 * mebibyte, perSecond: mebibyte / 2 },
    address: { burst: 32 * mebibyte, perSecond: 2 * mebibyte },
  },
}

/** The share of a client whose address is not known: as of a network of IPv6. */
const unknownShare = 8

/** Why a connection is ended for the sake of the others. */
export type Eviction = 'connections' | 'unread' | 'input' | 'topics'

/** The part of a process that one connection uses. */
export interface Lease {
  /** Says how many bytes wait for the client. */
  unread(bytes: number): void
  /** Says how many bytes of it wait to be worked on. */
  input(bytes: number): void
  /** Asks for so many topics more; negative to give back. */
  topics(count: number): boolean
  charge(cost: number): void
  /** How long its next call has to wait, in milliseconds. */
  waitMs(): number
  end(): void
}

/** What a process can carry, and who carries it. */
export interface Capacity {
  /** Room for one more connection, or why there is none. `evict` ends it when it turns out to be the heaviest. */
  open(guest: Guest, evict: (why: Eviction) => void): Lease | 'address' | 'client' | 'process'
  /** Charges a call that has no connection. */
  charge(guest: Guest, cost: number): void
  waitMs(guest: Guest): number
}

/** A connection that holds less is not what fills its address: it stays, whatever else the address holds. */
const lightBytes = 16_384

interface Holder {
  readonly evict: (why: Eviction) => void
  /** The bytes that it holds. */
  readonly held: () => number
  /** Why it has to go for what it holds. */
  readonly reason: () => 'unread' | 'input'
}

/**
 * Bounds for each client, address group, project and the process. Where a client or address has too much, it is refused or its
 * heaviest connection ends; where all together have, the heaviest group loses first, never somebody light.
 */
export function createCapacity({
  limits = capacityLimits,
  heldBytes = createHeldBytes(Number.POSITIVE_INFINITY),
  clock,
}: {
  limits?: CapacityLimits
  /** [without a limit] What the addresses of the connections hold, of every kind. */
  heldBytes?: HeldBytes
  /** Never goes back. */
  clock: Clock
}): Capacity {
  const open = createUsage<Holder>({ max: limits.open.process })
  const bytes = createUsage<Holder>({ max: limits.bytes.process })
  const topics = createUsage<Holder>({ max: limits.topics.process })
  const projects = new Map<string, Usage<Holder>>()
  const clientCost = createAllowances(limits.cost.client, clock)
  const addressCost = createAllowances(limits.cost.address, clock)
  let connections = 0

  const pathOf = (
    { groups, client }: Guest,
    of: Omit<UsageLimits, 'address'> & { readonly address?: number },
    connection: string,
    each = of.client,
  ): Owner[] => [
    ...groups.map(({ name, share }) => ({ name, share, max: (of.address ?? Number.POSITIVE_INFINITY) * share })),
    // A client whose address is not known stands beside networks, and is compared with them.
    { name: client, share: groups.length > 0 ? 1 : unknownShare, max: of.client },
    { name: connection, share: 1, max: each },
  ]

  const charge: Capacity['charge'] = ({ client, groups }, cost) => {
    clientCost.charge(client, cost)
    for (const { name, share } of groups) addressCost.charge(name, cost, share)
  }
  const waitMs: Capacity['waitMs'] = ({ client, groups }) =>
    groups.reduce((most, { name, share }) => Math.max(most, addressCost.waitMs(name, share)), clientCost.waitMs(client))

  /** Sets what a connection holds; while a group has too much then, its heaviest connection ends. */
  const hold = (entry: UsageEntry<Holder>, { groups }: Guest, amount: number): void => {
    heldBytes.add(groups, amount - entry.amount)
    entry.add(amount - entry.amount)
    for (let [position] = entry.exceededBy(0); position !== undefined; [position] = entry.exceededBy(0)) {
      const heaviest = entry.heaviestAt(position)
      if (!heaviest) return
      heaviest.evict(heaviest.reason())
    }
    for (let group = heldBytes.exceeded(groups); group >= 0; group = heldBytes.exceeded(groups)) {
      // Everybody together stands before the groups.
      const heaviest = entry.heaviestAt(group + 1)
      if (!heaviest || heaviest.held() < lightBytes) return
      heaviest.evict(heaviest.reason())
    }
  }

  /** Makes room for `amount` more where all together have too much; where it is the owners' own limit, or nobody is heavier, there is none. */
  const makeRoom = (entry: UsageEntry<Holder>, amount: number, why: Eviction): number | undefined => {
    const [first, second] = entry.exceededBy(amount)
    if (first === undefined) return undefined
    if (first > 0 || second !== undefined) return first || second
    if (!entry.isLighter(0, amount)) return 0
    entry.heaviestAt(0)?.evict(why)
    return undefined
  }

  return {
    open(guest, evict) {
      let [isOver, unread, input] = [false, 0, 0]
      const entries: UsageEntry<Holder>[] = []
      const end = (): void => {
        if (isOver) return
        isOver = true
        heldBytes.add(guest.groups, -unread - input)
        for (const entry of entries) entry.leave()
        if (guest.project !== undefined && projects.get(guest.project)?.total === 0) projects.delete(guest.project)
      }
      const holder: Holder = {
        evict(why) {
          end()
          evict(why)
        },
        held: () => unread + input,
        reason: () => (unread > input ? 'unread' : 'input'),
      }
      connections += 1
      const name = `${connections}`
      const enter = (usage: Usage<Holder>, most: Parameters<typeof pathOf>[1], each?: number): UsageEntry<Holder> => {
        const entry = usage.enter(pathOf(guest, most, name, each), holder)
        entries.push(entry)
        return entry
      }
      const counted = [enter(open, limits.open)]
      if (guest.project !== undefined && limits.open.project > 0) {
        const ofProject = projects.get(guest.project) ?? createUsage<Holder>({ max: limits.open.project })
        projects.set(guest.project, ofProject)
        counted.push(enter(ofProject, limits.open))
      }
      for (const entry of counted) {
        const position = makeRoom(entry, 1, 'connections')
        if (position !== undefined) {
          end()
          return position === 0 ? 'process' : position > guest.groups.length ? 'client' : 'address'
        }
        entry.add(1)
      }
      const bytesHere = enter(bytes, limits.bytes, limits.bytes.connection)
      const topicsHere = enter(topics, limits.topics)
      return {
        unread(bytes) {
          if (isOver) return
          unread = bytes
          hold(bytesHere, guest, unread + input)
        },
        input(bytes) {
          if (isOver) return
          input = bytes
          hold(bytesHere, guest, unread + input)
        },
        topics(count) {
          if (isOver || (count > 0 && makeRoom(topicsHere, count, 'topics') !== undefined)) return false
          topicsHere.add(count)
          return true
        },
        charge: (cost) => charge(guest, cost),
        waitMs: () => waitMs(guest),
        end,
      }
    },
    charge,
    waitMs,
  }
}
