/** The functions that look up and end the single session that a back end stores for this page. */
export interface HeldSession<Held> {
  /** Looks up the session. */
  find(): Promise<Held | undefined>
  end(held: Held): Promise<void>
}

/**
 * Returns a function that ends the session if `isMeant` accepts it. Disconnecting calls this function for all of the account's
 * networks at the same time. These calls share one lookup and one sign-out request.
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
      // Only one sign-out runs at a time. Otherwise, a lookup that started before a sign-out would end the session a second time.
      last = done.catch(() => {})
    }
    next.meant.push(isMeant)
    return next.done
  }
}
