import { maxUnreadBytes } from './limits/relayLimits.ts'

type Task<Client> = (client: Client) => void | Promise<void>
type IsRefused<Client> = (client: Client) => boolean | Promise<boolean>

/** Runs a connection's calls in order, one at a time. */
export interface CallQueue<Client> {
  /**
   * Runs a task after all earlier tasks, unless `isRefused` returns `true` or the client disconnects. If nothing has to be waited
   * for, the task runs at once. Returns a promise unless the task is finished.
   */
  run(task: Task<Client>, isRefused?: IsRefused<Client>): void | Promise<void>
  /** Makes later tasks wait for work that has already started. Resolves when the work and all earlier tasks are finished. */
  waitFor(work: Promise<void>): Promise<void>
  /** Returns whether no task is running or waiting. */
  isIdle(): boolean
  /** Resumes a call that is waiting for the client. Called when the client has read its responses or has disconnected. */
  resume(): void
}

/** Creates the queue for a connection. Each call waits until the client has read its responses and is within its cost limit. */
export function createCallQueue<Client extends { readonly lease: { waitMs(): number } }>({
  opened,
  client,
  unreadBytes,
  pause,
  turnOf,
}: {
  /** Resolves when the client is authenticated or rejected. */
  opened: Promise<void>
  /** Returns the client, or `undefined` if the client was rejected or has disconnected. */
  client: () => Client | undefined
  /** Returns the number of sent bytes that the client has not read yet. */
  unreadBytes: () => number
  /** Resolves after the given number of milliseconds. */
  pause: (ms: number) => Promise<void>
  /** Resolves when it is the client's turn. */
  turnOf: (client: Client) => Promise<void> | undefined
}): CallQueue<Client> {
  let last = opened
  let resumeReading: (() => void) | undefined
  /** The number of calls that are running or waiting. While the client is being authenticated, all calls wait. */
  let pending = 1
  const finish = (): void => {
    pending -= 1
  }
  void opened.then(finish)
  let isStarting = false
  /** Starts the calls that were added while a call was starting, such as by a message that the call pushed to its own client. */
  let releaseLaterCalls: (() => void) | undefined

  const add = (task: () => void | Promise<void>): Promise<void> => {
    pending += 1
    if (isStarting && !releaseLaterCalls)
      last = new Promise((resolve) => {
        releaseLaterCalls = resolve
      })
    last = last.then(task).finally(finish)
    return last
  }

  const waitMs = (): number => client()?.lease.waitMs() ?? 0

  const untilRead = async (): Promise<void> => {
    while (client() && unreadBytes() >= maxUnreadBytes)
      await new Promise<void>((resolve) => {
        resumeReading = resolve
      })
    resumeReading = undefined
  }

  const untilAllowed = async (firstMs: number): Promise<void> => {
    for (let ms = firstMs; ms > 0; ms = waitMs()) await pause(ms)
  }

  const runTask = (sender: Client, task: Task<Client>): void | Promise<void> => (client() ? task(sender) : undefined)

  const runInTurn = (sender: Client, task: Task<Client>): void | Promise<void> => {
    if (!client()) return
    // Must come directly before the task, because the fair queue measures everything that runs after the client's turn has come.
    const turn = turnOf(sender)
    return turn ? turn.then(() => runTask(sender, task)) : runTask(sender, task)
  }

  const runUnlessRefused = (task: Task<Client>, isRefused: IsRefused<Client> | undefined): void | Promise<void> => {
    const sender = client()
    if (!sender) return
    const refusal = isRefused?.(sender) ?? false
    if (typeof refusal !== 'boolean') return refusal.then((later) => (later ? undefined : runInTurn(sender, task)))
    return refusal ? undefined : runInTurn(sender, task)
  }

  const start = (task: Task<Client>, isRefused: IsRefused<Client> | undefined): void | Promise<void> => {
    if (client() && unreadBytes() >= maxUnreadBytes)
      return untilRead()
        .then(() => untilAllowed(waitMs()))
        .then(() => runUnlessRefused(task, isRefused))
    const ms = waitMs()
    return ms > 0 ? untilAllowed(ms).then(() => runUnlessRefused(task, isRefused)) : runUnlessRefused(task, isRefused)
  }

  const startNow = (task: Task<Client>, isRefused: IsRefused<Client> | undefined): void | Promise<void> => {
    pending += 1
    isStarting = true
    const work = start(task, isRefused)
    isStarting = false
    const release = releaseLaterCalls
    releaseLaterCalls = undefined
    if (!work) {
      finish()
      release?.()
      return
    }
    const finished = work.finally(finish)
    if (release) void finished.finally(release)
    else last = finished
    return finished
  }

  return {
    isIdle: () => pending === 0,
    waitFor: (work) => add(() => work),
    run: (task, isRefused) => (pending === 0 ? startNow(task, isRefused) : add(() => start(task, isRefused))),
    resume: () => resumeReading?.(),
  }
}
