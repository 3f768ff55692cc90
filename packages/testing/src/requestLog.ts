/** A request that the wallet received. */
export interface LoggedRequest {
  /** The JSON-RPC method, such as `eth_sendTransaction`. */
  readonly method: string
  /** The parameters as the page passed them, or `undefined` if it passed none. */
  readonly params: unknown
  /**
   * `waiting` means that there is no response yet. `lost` means that there will be none, because the wallet was dead, or died
   * before it responded.
   */
  readonly outcome: 'waiting' | 'answered' | 'failed' | 'lost'
}

/** The log of the requests that a wallet received. The wallet can respond late, or never. */
export interface RequestLog {
  /** Every request, oldest first. */
  readonly requests: readonly LoggedRequest[]
  /** Whether the wallet has stopped responding. */
  readonly isDead: boolean
  /** Logs a request and settles with the response of `handle`. */
  run(request: { method: string; params: unknown }, handle: () => Promise<unknown>): Promise<unknown>
  /** Delays every response by `ms`. */
  delay(ms: number): void
  /** Stops all responses, including those to pending requests. */
  die(): void
  /** Responds to new requests again. Earlier requests stay pending. */
  revive(): void
}

/** Creates the log of a wallet that responds immediately. */
export function createRequestLog(): RequestLog {
  const requests: LoggedRequest[] = []
  let deaths = 0
  let isDead = false
  let delayMs = 0
  return {
    requests,
    get isDead() {
      return isDead
    },
    run({ method, params }, handle) {
      const index = requests.push({ method, params, outcome: isDead ? 'lost' : 'waiting' }) - 1
      if (isDead) return new Promise(() => {})
      const deathsBefore = deaths
      return new Promise((resolve, reject) => {
        const settle = (outcome: 'answered' | 'failed', respond: () => void): void => {
          const isLost = isDead || deaths !== deathsBefore
          requests[index] = { method, params, outcome: isLost ? 'lost' : outcome }
          if (!isLost) respond()
        }
        const later = (task: () => void): void => {
          if (delayMs === 0) task()
          else setTimeout(task, delayMs)
        }
        handle().then(
          (value) => later(() => settle('answered', () => resolve(value))),
          (error: unknown) => later(() => settle('failed', () => reject(error))),
        )
      })
    },
    delay(ms) {
      delayMs = ms
    },
    die() {
      isDead = true
      deaths += 1
    },
    revive() {
      isDead = false
    },
  }
}
