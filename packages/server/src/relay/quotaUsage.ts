/** Somebody who uses something: an address group, a client, a connection. */
export interface Owner {
  readonly name: string
  /** How many single users it may stand for: its use is divided by it before it is compared. */
  readonly share: number
  /** The most that it may use. */
  readonly max: number
}

/** The use of one holder, counted for each of its owners. */
export interface UsageEntry<Holder> {
  /** How much of it there is. */
  readonly amount: number
  /** Adds to it; negative to give back. */
  add(amount: number): void
  /** The positions in the path of the owners for whom `amount` more would be too much; 0 is everybody together. */
  exceededBy(amount: number): readonly number[]
  /** Whoever uses most among those who share the owner at this position of the path. */
  heaviestAt(position: number): Holder | undefined
  /** Whether somebody else at that position, owner by owner, uses more than this holder would with `amount` more. */
  isLighter(position: number, amount: number): boolean
  /** Gives all of it back. */
  leave(): void
}

interface Node<Holder> {
  readonly owner: Owner
  amount: number
  children: Map<string, Node<Holder>> | undefined
  holder: Holder | undefined
}

/** Who uses how much of something, from everybody together over address groups and clients down to single holders. */
export interface Usage<Holder> {
  readonly total: number
  /** Begins to count a holder. `path` names its owners, the widest first, itself last. */
  enter(path: readonly Owner[], holder: Holder): UsageEntry<Holder>
}

/** Counts use as a tree, so that whoever uses most is found among groups first, whatever names they give themselves. */
export function createUsage<Holder>(process: { readonly max: number }): Usage<Holder> {
  const nodeOf = (owner: Owner): Node<Holder> => ({ owner, amount: 0, children: undefined, holder: undefined })
  const root = nodeOf({ name: '', share: 1, max: process.max })

  const relativeUse = ({ amount, owner }: Node<Holder>): number => amount / owner.share
  const heaviestChild = (node: Node<Holder>): Node<Holder> | undefined => {
    let found: Node<Holder> | undefined
    // Of equals the latest: whoever was here before an attack is not the one to go.
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
          // Where the paths part, the groups are compared: ours with what it would have, theirs with what it has.
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
