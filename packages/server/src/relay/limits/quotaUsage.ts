/** An owner of resources in use: an address group, a client or a connection. */
export interface Owner {
  readonly name: string
  /**
   * How many clients the owner can represent. The owner's use is divided by this number before it is compared with that of other
   * owners.
   */
  readonly share: number
  /** The maximum use. */
  readonly max: number
}

/** The use of a single holder, which also counts towards the use of each of the holder's owners. */
export interface UsageEntry<Holder> {
  /** The amount that the holder currently uses. */
  readonly amount: number
  /** Adds to the amount. A negative number subtracts from it. */
  add(amount: number): void
  /** Returns the positions of the owners whose limits would be exceeded after adding `amount`. Position 0 is the total. */
  exceededBy(amount: number): readonly number[]
  /** Returns the heaviest holder that has the same owner at the given position. */
  heaviestAt(position: number): Holder | undefined
  /**
   * Returns whether another holder below that position uses more than this holder would after adding `amount`. The two are
   * compared at the level where their owners differ.
   */
  isLighter(position: number, amount: number): boolean
  /** Releases the whole amount and removes the holder. */
  leave(): void
}

const none: readonly number[] = []

interface Node<Holder> {
  readonly owner: Omit<Owner, 'name'>
  amount: number
  children: Map<string, Node<Holder>> | undefined
  holder: Holder | undefined
}

/** Tracks use in a tree: the total, address groups, clients and single holders. */
export interface Usage<Holder> {
  readonly total: number
  /** Adds a holder. `path` lists its owners, widest first, and ends with the holder itself. */
  enter(path: readonly Owner[], holder: Holder): UsageEntry<Holder>
}

/**
 * Creates a usage tree. The search for the heaviest holder starts with the groups, so that a client cannot hide its use behind
 * new client IDs.
 */
export function createUsage<Holder>(process: { readonly max: number }): Usage<Holder> {
  const nodeOf = (owner: Omit<Owner, 'name'>): Node<Holder> => ({
    owner,
    amount: 0,
    children: undefined,
    holder: undefined,
  })
  const root = nodeOf({ share: 1, max: process.max })

  return {
    get total() {
      return root.amount
    },
    enter(path, holder) {
      const nodes = [root]
      let leaf = root
      for (const owner of path) {
        leaf.children ??= new Map()
        let node = leaf.children.get(owner.name)
        if (!node) {
          node = nodeOf(owner)
          leaf.children.set(owner.name, node)
        }
        nodes.push(node)
        leaf = node
      }
      leaf.holder = holder
      return new Entry(path, nodes, leaf)
    },
  }
}

/** A class instead of closures, because an entry is created for every message. */
class Entry<Holder> implements UsageEntry<Holder> {
  readonly #path: readonly Owner[]
  readonly #nodes: readonly Node<Holder>[]
  readonly #leaf: Node<Holder>
  constructor(path: readonly Owner[], nodes: readonly Node<Holder>[], leaf: Node<Holder>) {
    this.#path = path
    this.#nodes = nodes
    this.#leaf = leaf
  }

  get amount(): number {
    return this.#leaf.amount
  }

  add(amount: number): void {
    for (const node of this.#nodes) node.amount += amount
  }

  exceededBy(amount: number): readonly number[] {
    // Called for every frame, so no list is created unless a limit is exceeded.
    let positions = none
    for (let at = 0; at < this.#nodes.length; at += 1) {
      const node = this.#nodes[at] as Node<Holder>
      if (node.amount + amount > node.owner.max) positions = [...positions, at]
    }
    return positions
  }

  heaviestAt(position: number): Holder | undefined {
    return heaviestUnder(this.#nodes[position] as Node<Holder>)
  }

  isLighter(position: number, amount: number): boolean {
    // Where the paths diverge, this branch's use after the addition is compared with the other branch's current use.
    let parent = this.#nodes[position] as Node<Holder>
    for (const own of this.#nodes.slice(position + 1)) {
      const heaviest = heaviestOf(childrenOf(parent)) as Node<Holder>
      if (heaviest !== own) return relativeUse(heaviest) > (own.amount + amount) / own.owner.share
      parent = own
    }
    return false
  }

  leave(): void {
    const { amount } = this.#leaf
    for (const node of this.#nodes) node.amount -= amount
    // Removes the owners that have no holders left.
    for (let at = this.#path.length - 1; at >= 0; at -= 1) {
      if (this.#nodes[at + 1]?.children?.size) break
      childrenOf(this.#nodes[at] as Node<Holder>).delete((this.#path[at] as Owner).name)
    }
  }
}

function relativeUse({ amount, owner }: Node<unknown>): number {
  return amount / owner.share
}

function heaviestOf<Holder>(children: ReadonlyMap<string, Node<Holder>>): Node<Holder> | undefined {
  let found: Node<Holder> | undefined
  // If several children use the same amount, the latest is chosen, so that holders from before an attack are not evicted.
  for (const child of children.values()) if (!found || relativeUse(child) >= relativeUse(found)) found = child
  return found
}

function heaviestUnder<Holder>(node: Node<Holder>): Holder | undefined {
  let at: Node<Holder> | undefined = node
  while (at?.children) at = heaviestOf(at.children)
  return at?.holder
}

function childrenOf<Holder>({ children }: Node<Holder>): Map<string, Node<Holder>> {
  return children as Map<string, Node<Holder>>
}
