/** The one session that a back end holds for this page. */
export interface HeldSession<Held> {
  /** Asks for it. */
  find(): Promise<Held | undefined>
  end(held: Held): Promise<void>
}

/**
 * Ends that session if it is the one that is meant. Whoever disconnects asks so for each of the account's networks at the same time:
 * the back end is asked once for all of them, and told once.
 */
export function createRevocation<Held>({
  find,
  end,
}: HeldSession<Held>): (isMeant: (held: Held) => boolean) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve()
  let next: { readonly meant: ((held: Held) => boolean)[]; readonly done: Promise<void> } | undefined

  const run = async (): Promise<void> => {
    const meant = next?.meant ?? []
    next = undefined
    const held = await find()
    if (held !== undefined && meant.some((isMeant) => isMeant(held))) await end(held)
  }
  return (isMeant) => {
    if (!next) {
      const done = last.then(run)
      next = { meant: [], done }
      // One after the other: an answer from before a sign-out would end what is over already.
      last = done.catch(() => {})
    }
    next.meant.push(isMeant)
    return next.done
  }
}
