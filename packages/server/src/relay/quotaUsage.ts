/** An owner of used resources: an address group, a client or a connection. */
export interface Owner {
  readonly name: string
  /** How many clients the owner can represent. Its use is divided by this before comparisons. */
  readonly share: number
  /** Maximum use. */
  readonly max: number
}

/** The use of a single holder, counted for each of its owners. */
export interface UsageEntry<Holder> {
  /** The current amount. */
  readonly amount: number
  /** Adds to the amount. A negative number releases it. */
  add(amount: number): void
  /** Returns the positions in the path of owners whose limit `amount` more would exceed. Position 0 is the total. */
  exceededBy(amount: number): readonly number[]
  /** Returns the heaviest holder among those that share the owner at this position of the path. */
  heaviestAt(position: number): Holder | undefined
  /** Whether another holder at that position, compared owner by owner, uses more than this holder would with `amount` more. */
  isLighter(position: number, amount: number): boolean
  /** Releases everything. */
  leave(): void
}

interface Node<Holder> {
  readonly owner: Omit<Owner, 'name'>
  amount: number
  children: Map<string, Node<Holder>> | undefined
  holder: Holder | undefined
}

/** Tracks use as a tree: total, address groups, clients, single holders. */
export interface Usage<Holder> {
  readonly total: number
  /** Starts to count a holder. `path` lists its owners, widest first, ending with itself. */
  enter(path: readonly Owner[], holder: Holder): UsageEntry<Holder>
}

/** Creates a usage tree. The heaviest holder is searched for among groups first, so that new client IDs do not hide use. */
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
    // Among equals, the latest is chosen: holders from before an attack are not evicted.
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
        exceededBy: (amount) =>
          nodes.flatMap((node, position) => (node.amount + amount > node.owner.max ? [position] : [])),
        heaviestAt: (position) => heaviestUnder(nodes[position] as Node<Holder>),
        isLighter(position, amount) {
          // Where the paths diverge, the groups are compared: this one with its use after the addition, the other with its current use.
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
          // Removes the owners that have no other holders.
          for (const [at, { name }] of [...path.entries()].reverse()) {
            if (nodes[at + 1]?.children?.size) break
            childrenOf(nodes[at] as Node<Holder>).delete(name)
          }
        },
      }
    },
  }
}
