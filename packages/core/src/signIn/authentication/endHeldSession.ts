/** The single session that a back end holds for this page. */
export interface HeldSession<Held> {
  /** Looks up the session. */
  find(): Promise<Held | undefined>
  end(held: Held): Promise<void>
}

/**
 * Returns a function that ends the session if it matches. Disconnecting calls it for each of the account's networks at the same time; these
 * calls share one lookup and one sign-out request.
 */
export function createHeldSessionEnd<Held>({
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
      // Runs one at a time: a lookup from before a sign-out would end a session that has already ended.
      last = done.catch(() => {})
    }
    next.meant.push(isMeant)
    return next.done
  }
}
