/** An owner of used resources: an address group, a client, a connection. */
export interface Owner {
  readonly name: string
  /** How many clients it can represent. Its use is divided by this before comparisons. */
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
  readonly owner: Owner
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

/** Creates a usage tree. The heaviest holder is searched among groups first, so that new client IDs do not hide use. */
export function createUsage<Holder>(process: { readonly max: number }): Usage<Holder> {
  const nodeOf = (owner: Owner): Node<Holder> => ({ owner, amount: 0, children: undefined, holder: undefined })
  const root = nodeOf({ name: '', share: 1, max: process.max })

  const relativeUse = ({ amount, owner }: Node<Holder>): number => amount / owner.share
  const heaviestChild = (node: Node<Holder>): Node<Holder> | undefined => {
    let found: Node<Holder> | undefined
    // Among equals, the latest is chosen: holders from before an attack are not evicted.
    for (const child of node.children?.values() ?? [])
      if (!found || relativeUse(child) >= relativeUse(found)) found = child
    return found
  }
  const heaviestUnder = (node: Node<Holder>): Holder | undefined => {
    let at: Node<Holder> | undefined = node
    while (at?.children) at = heaviestChild(at)
    return at?.holder
  }

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
        heaviestAt: (position) => heaviestUnder(nodes[position] ?? root),
        isLighter(position, amount) {
          // Where the paths diverge, the groups are compared: this one with its use after the addition, the other with its current use.
          let at = position
          for (; at + 1 < nodes.length; at += 1) {
            const ownNode = nodes[at + 1] as Node<Holder>
            const heaviest = heaviestChild(nodes[at] as Node<Holder>)
            if (heaviest && heaviest !== ownNode)
              return relativeUse(heaviest) > (ownNode.amount + amount) / ownNode.owner.share
          }
          return false
        },
        leave() {
          const { amount } = leaf
          for (const node of nodes) node.amount -= amount
          for (let at = nodes.length - 1; at > 0; at -= 1) {
            const node = nodes[at] as Node<Holder>
            if (node.children && node.children.size > 0) break
            nodes[at - 1]?.children?.delete(node.owner.name)
          }
        },
      }
    },
  }
}
