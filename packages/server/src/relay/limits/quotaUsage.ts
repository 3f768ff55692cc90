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

  const relativeUse = ({ amount, owner }: Node<Holder>): number => amount / owner.share
  const heaviestOf = (children: ReadonlyMap<string, Node<Holder>>): Node<Holder> | undefined => {
    let found: Node<Holder> | undefined
    // If several children use the same amount, the latest is chosen, so that holders from before an attack are not evicted.
    for (const child of children.values()) if (!found || relativeUse(child) >= relativeUse(found)) found = child
    return found
  }
  const heaviestUnder = (node: Node<Holder>): Holder | undefined => {
    let at: Node<Holder> | undefined = node
    while (at?.children) at = heaviestOf(at.children)
    return at?.holder
  }

  const childrenOf = ({ children }: Node<Holder>) => children as Map<string, Node<Holder>>

  return {
    get total() {
      return root.amount
    },
    enter(path, holder) {
      const nodes = [root]
      for (const owner of path) {
        const parent = nodes.at(-1) as Node<Holder>
        parent.children ??= new Map()
        const node = parent.children.get(owner.name) ?? nodeOf(owner)
        parent.children.set(owner.name, node)
        nodes.push(node)
      }
      const leaf = nodes.at(-1) as Node<Holder>
      leaf.holder = holder
      return {
        get amount() {
          return leaf.amount
        },
        add(amount) {
          for (const node of nodes) node.amount += amount
        },
        exceededBy(amount) {
          // Called for every frame, so no list is created unless a limit is exceeded.
          if (!nodes.some((node) => node.amount + amount > node.owner.max)) return none
          return nodes.flatMap((node, position) => (node.amount + amount > node.owner.max ? [position] : []))
        },
        heaviestAt: (position) => heaviestUnder(nodes[position] as Node<Holder>),
        isLighter(position, amount) {
          // Where the paths diverge, this branch's use after the addition is compared with the other branch's current use.
          let parent = nodes[position] as Node<Holder>
          for (const own of nodes.slice(position + 1)) {
            const heaviest = heaviestOf(childrenOf(parent)) as Node<Holder>
            if (heaviest !== own) return relativeUse(heaviest) > (own.amount + amount) / own.owner.share
            parent = own
          }
          return false
        },
        leave() {
          const { amount } = leaf
          for (const node of nodes) node.amount -= amount
          // Removes the owners that have no holders left.
          for (const [at, { name }] of [...path.entries()].reverse()) {
            if (nodes[at + 1]?.children?.size) break
            childrenOf(nodes[at] as Node<Holder>).delete(name)
          }
        },
      }
    },
  }
}
