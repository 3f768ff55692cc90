import { StoreUnavailableError } from '../messages/messageStore.ts'

/** The timeout for the first connection and for each message store command, in milliseconds. */
const commandMs = 3_000

/**
 * Runs a message store command.
 *
 * @throws {StoreUnavailableError} if the command fails or Redis does not respond in time.
 */
export async function runRedisCommand<T>(command: () => Promise<T>): Promise<T> {
  try {
    return await withTimeout(command(), commandMs)
  } catch (error) {
    throw new StoreUnavailableError(String(error))
  }
}

/**
 * Resolves to Redis' response. Rejects with a timeout after `ms`. The Redis client's own timeout covers only commands that it has
 * not sent yet, so a frozen or unreachable Redis server would otherwise block the caller.
 *
 * @throws {DOMException} a TimeoutError.
 */
export async function withTimeout<T>(response: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  try {
    return await Promise.race([
      response,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new DOMException('Redis did not respond in time', 'TimeoutError')), ms)
      }),
    ])
  } finally {
    clearTimeout(timer)
  }
}
