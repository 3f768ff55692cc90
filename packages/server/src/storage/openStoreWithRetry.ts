import { setTimeout as nodePause } from 'node:timers/promises'
import type { Log } from '../serverDependencies.ts'
import { errnoOf } from './durableFiles.ts'

/**
 * Thrown if the server cannot start because a store is unavailable. The message includes the setting and explains how to fix the
 * problem.
 */
export class StoreStartError extends Error {
  override readonly name = 'StoreStartError'
}

interface Store {
  /** The environment variable that configures the store. */
  readonly setting: string
  readonly url: string
  /** The product name used in messages, such as `PostgreSQL`. */
  readonly product: string
}

const retryMs = 1000

/**
 * Opens a store. Retries for `timeoutMs` if the store might still be starting, and logs each failed attempt. Throws a
 * `StoreStartError` whose message includes the setting, the address and a hint, but never credentials.
 */
export async function openStoreWithRetry<T>({
  open,
  store,
  timeoutMs,
  log,
  clock = () => performance.now(),
  pause = nodePause,
}: {
  open: () => Promise<T>
  store: Store
  timeoutMs: number
  log: Log
  /** Monotonic milliseconds. */
  clock?: () => number
  pause?: (ms: number) => Promise<unknown>
}): Promise<T> {
  const until = clock() + timeoutMs
  for (let tries = 1; ; tries += 1) {
    try {
      return await open()
    } catch (error) {
      const failure = failureOf(error, store)
      if (failure === undefined) throw error
      const left = until - clock()
      if (!failure.isTransient || left <= 0) throw new StoreStartError(failure.sentence, { cause: error })
      log('warn', failure.sentence, { tries, secondsLeft: Math.ceil(left / 1000) })
      await pause(Math.min(retryMs, left))
    }
  }
}

/** Describes a connection failure to the operator. Returns `undefined` for any other error. */
function failureOf(error: unknown, store: Store): { sentence: string; isTransient: boolean } | undefined {
  const code = codeFrom(error)
  const [words, hint, isTransient] = known(code, error, store.product) ?? []
  if (words === undefined) return undefined
  return {
    sentence: `${store.setting} points to ${addressOf(store.url)}, ${words}: ${hint}`,
    isTransient: isTransient === true,
  }
}

function known(code: string, error: unknown, product: string): [string, string, boolean] | undefined {
  const running = `is ${product} running?`
  const message = error instanceof Error ? error.message : ''
  if (code === 'ECONNREFUSED') return ['but the connection was refused', running, true]
  if (code === 'ENOENT' || code === 'EACCES') return [`but its socket cannot be opened (${code})`, running, true]
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return [
      `but this host name cannot be resolved (${code})`,
      'check the name and the DNS settings of this machine.',
      true,
    ]
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH')
    return [`but this host is unreachable (${code})`, 'check the network and the firewall.', true]
  if (code === 'ETIMEDOUT' || /timeout|timed out|did not respond/i.test(message))
    return ['but it did not respond in time', `${running} Also check the network and the firewall.`, true]
  if (code === 'ECONNRESET' || code === 'EPIPE' || /terminated unexpectedly|socket closed/i.test(message))
    return ['but the connection was closed', `is it ${product}, and does it expect TLS?`, true]
  if (/Could not connect to Redis/.test(message)) return ['but Redis did not respond', running, true]
  if (code === '57P03') return ['which is still starting', 'wait until it is ready.', true]
  if (code === '53300')
    return ['which accepts no more connections', 'increase its max_connections or stop another client.', true]
  if (/^28/.test(code) || /WRONGPASS|NOAUTH|Invalid password/i.test(message))
    return ['but the user name or password is wrong', 'check both.', false]
  if (code === '3D000') return ['which has no database with this name', 'create it or choose another one.', false]
  if (code === '42501')
    return [
      'but this user is not allowed to create tables',
      'grant it CREATE on the database and its schema public.',
      false,
    ]
  if (/does not support SSL/i.test(message))
    return ['which does not support TLS', 'remove sslmode from the URL.', false]
  if (/CERT|SELF_SIGNED|UNABLE_TO_/.test(code))
    return [
      `whose certificate is not trusted (${code})`,
      'add its certificate authority to Node.js (NODE_EXTRA_CA_CERTS).',
      false,
    ]
  return undefined
}

/** Returns the code of an error or of its first cause that has a code. */
function codeFrom(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 5) return ''
  const own = errnoOf(error)
  if (own !== undefined) return own
  if (error instanceof AggregateError) return codeFrom(error.errors[0], depth + 1)
  return codeFrom(error.cause, depth + 1)
}

/** Returns the host and port of a URL, or the folder of its socket, without credentials. */
function addressOf(url: string): string {
  if (!URL.canParse(url)) return 'an invalid address'
  const { hostname, port, protocol, searchParams } = new URL(url)
  const socket = searchParams.get('host')
  if (socket?.startsWith('/')) return socket
  return `${hostname || 'localhost'}:${port || (protocol.startsWith('redis') ? '6379' : '5432')}`
}
