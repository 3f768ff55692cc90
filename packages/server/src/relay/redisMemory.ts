import type { Log } from '../serverDependencies.ts'

/** The share of Redis' `maxmemory` that messages can use. The rest is reserved for overhead. */
const maxMemoryShare = 0.5

/** The memory that messages can use in Redis, and whether Redis has run out of memory. */
export interface RedisMemory {
  /** Reads Redis' `maxmemory`. Resolves to its `maxmemory-policy`, or `undefined` if there is no limit. */
  read(): Promise<string | undefined>
  /** The maximum total size of all messages in bytes. */
  maxBytes(): number
  isOutOfMemory(): boolean
  /** Records whether Redis has rejected the last write because it is out of memory. Changes are logged. */
  setOutOfMemory(isOut: boolean): void
}

/** Limits messages to a share of Redis' `maxmemory`, so that full quotas do not fill it, and to at most `maxBytes`. */
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
