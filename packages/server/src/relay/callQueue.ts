import { maxUnreadBytes } from './limits/relayLimits.ts'

/** Runs a connection's calls in order, one at a time. */
export interface CallQueue<Client> {
  /** Runs a task after all earlier tasks, unless `isRefused` resolves to `true` or the client disconnects. */
  run(task: (client: Client) => Promise<void>, isRefused?: (client: Client) => Promise<boolean>): Promise<void>
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

  const untilAllowed = async (): Promise<void> => {
    while (client() && unreadBytes() >= maxUnreadBytes)
      await new Promise<void>((resolve) => {
        resumeReading = resolve
      })
    resumeReading = undefined
    for (let ms = client()?.lease.waitMs() ?? 0; ms > 0; ms = client()?.lease.waitMs() ?? 0) await pause(ms)
  }

  return {
    run(task, isRefused) {
      last = last.then(async () => {
        await untilAllowed()
        const sender = client()
        if (!sender || (await isRefused?.(sender))) return
        // Must come directly before the task, because the fair queue measures everything that runs after the client's turn has
        // come.
        if (client()) await turnOf(sender)
        if (client()) await task(sender)
      })
      return last
    },
    resume: () => resumeReading?.(),
  }
}
