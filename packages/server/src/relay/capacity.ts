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
  /** Bytes that wait for clients that do not read. */
  readonly unreadBytes: UsageLimits & { readonly connection: number }
  /** Bytes of calls that have come in, in part or whole, and are not yet answered. */
  readonly inputBytes: UsageLimits
  /** Topics that are listened on. */
  readonly topics: UsageLimits
  /** What calls cost: the bytes that come in and go out, and a price per call and topic. */
  readonly cost: { readonly client: AllowanceRate; readonly address: AllowanceRate }
}

const mebibyte = 1_048_576

/** The limits that nobody has set. */
export const capacityLimits: CapacityLimits = {
  open: { process: 10_000, project: 5_000, address: 300, client: 20 },
  unreadBytes: { process: 48 * mebibyte, address: 16 * mebibyte, client: 8 * mebibyte, connection: 4 * mebibyte },
  inputBytes: { process: 32 * mebibyte, address: 8 * mebibyte, client: 4 * mebibyte },
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

interface Holder {
  readonly evict: (why: Eviction) => void
}

/**
 * Bounds for each client, address group, project and the process. Where a client or address has too much, it is refused or its
 * heaviest connection ends; where all together have, the heaviest group loses first, never somebody light.
 */
export function createCapacity({
  limits = capacityLimits,
  clock,
}: {
  limits?: CapacityLimits
  /** Never goes back. */
  clock: Clock
}): Capacity {
  const open = createUsage<Holder>({ max: limits.open.process })
  const unread = createUsage<Holder>({ max: limits.unreadBytes.process })
  const input = createUsage<Holder>({ max: limits.inputBytes.process })
  const topics = createUsage<Holder>({ max: limits.topics.process })
  const projects = new Map<string, Usage<Holder>>()
  const clientCost = createAllowances(limits.cost.client, clock)
  const addressCost = createAllowances(limits.cost.address, clock)
  let connections = 0

  const pathOf = ({ groups, client }: Guest, of: UsageLimits, connection: string, each = of.client): Owner[] => [
    ...groups.map(({ name, share }) => ({ name, share, max: of.address * share })),
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

  /** Sets what an entry uses; while a group has too much then, its heaviest connection ends. */
  const set = (entry: UsageEntry<Holder>, amount: number, why: Eviction): void => {
    entry.add(amount - entry.amount)
    for (let [position] = entry.exceededBy(0); position !== undefined; [position] = entry.exceededBy(0)) {
      const heaviest = entry.heaviestAt(position)
      if (!heaviest) return
      heaviest.evict(why)
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
      let isOver = false
      const entries: UsageEntry<Holder>[] = []
      const end = (): void => {
        if (isOver) return
        isOver = true
        for (const entry of entries) entry.leave()
        if (guest.project !== undefined && projects.get(guest.project)?.total === 0) projects.delete(guest.project)
      }
      const holder: Holder = {
        evict(why) {
          end()
          evict(why)
        },
      }
      connections += 1
      const name = `${connections}`
      const enter = (usage: Usage<Holder>, most: UsageLimits, each?: number): UsageEntry<Holder> => {
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
      const unreadHere = enter(unread, limits.unreadBytes, limits.unreadBytes.connection)
      const inputHere = enter(input, limits.inputBytes)
      const topicsHere = enter(topics, limits.topics)
      return {
        unread: (bytes) => void (isOver || set(unreadHere, bytes, 'unread')),
        input: (bytes) => void (isOver || set(inputHere, bytes, 'input')),
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
