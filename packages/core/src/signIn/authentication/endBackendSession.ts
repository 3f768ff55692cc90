/** The functions that look up and end the single session that a back end stores for this page. */
export interface BackendSession<Session> {
  /** Looks up the session. */
  find(): Promise<Session | undefined>
  end(session: Session): Promise<void>
}

/**
 * Returns a function that ends the session if `matches` accepts it. Disconnecting calls this function for all of the account's
 * networks at the same time. These calls share one lookup and one sign-out request.
 */
export function createBackendSessionEnd<Session>({
  find,
  end,
}: BackendSession<Session>): (matches: (session: Session) => boolean) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve()
  let next: { readonly predicates: ((session: Session) => boolean)[]; readonly done: Promise<void> } | undefined

  const run = async (): Promise<void> => {
    const predicates = next?.predicates ?? []
    next = undefined
    const session = await find()
    if (session !== undefined && predicates.some((matches) => matches(session))) await end(session)
  }
  return (matches) => {
    if (!next) {
      const done = last.then(run)
      next = { predicates: [], done }
      // Only one sign-out runs at a time. Otherwise, a lookup that started before a sign-out would end the session a second time.
      last = done.catch(() => {})
    }
    next.predicates.push(matches)
    return next.done
  }
}
