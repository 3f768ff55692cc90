import type { Log } from '../../serverDependencies.ts'

/** The share of Redis' `maxmemory` that messages can use. The rest is reserved for overhead. */
const maxMemoryShare = 0.5

/** The memory in Redis that messages can use, and whether Redis has run out of memory. */
export interface RedisMemory {
  /** Reads Redis' `maxmemory`. Resolves to its `maxmemory-policy`, or to `undefined` if Redis has no memory limit. */
  read(): Promise<string | undefined>
  /** Returns the maximum total size of all messages, in bytes. */
  maxBytes(): number
  isOutOfMemory(): boolean
  /** Sets whether Redis has rejected the last write because it is out of memory. Logs changes. */
  setOutOfMemory(isOut: boolean): void
}

/**
 * Creates a limit for messages: at most `maxBytes`, and at most a share of Redis' `maxmemory`, so that messages within quotas do
 * not fill Redis.
 */
export function createRedisMemory({
  info,
  maxBytes: configuredBytes,
  log,
}: {
  /** Resolves to the response to INFO. */
  info: () => Promise<string>
  maxBytes: number
  log: Log
}): RedisMemory {
  let maxBytes = configuredBytes
  let isOutOfMemory = false
  return {
    async read() {
      const fields = new Map((await info()).split('\r\n').map((line) => line.split(':') as [string, string]))
      const maxMemory = Number(fields.get('maxmemory'))
      const isLimited = maxMemory > 0
      maxBytes = isLimited ? Math.min(configuredBytes, maxMemory * maxMemoryShare) : configuredBytes
      return isLimited ? fields.get('maxmemory_policy') : undefined
    },
    maxBytes: () => maxBytes,
    isOutOfMemory: () => isOutOfMemory,
    setOutOfMemory(isOut) {
      if (isOut && !isOutOfMemory) log('error', 'the relay’s Redis is out of memory', { code: 'OOM' })
      if (!isOut && isOutOfMemory) log('info', 'the relay’s Redis has memory again')
      isOutOfMemory = isOut
    },
  }
}

/** Returns whether Redis rejected a command because it is out of memory. */
export function isMemoryError(error: unknown): boolean {
  return error instanceof Error && /(^|\s)-?OOM\b/.test(error.message)
}
