import { pairingExpiryMs } from '@latchkey/protocol/constants'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { formatPairingUri } from '../pairingUri.ts'
import type { RpcEngine } from './rpcEngine.ts'
import { reasons } from './signMethods.ts'

/** A pairing of a dapp that a wallet can join. */
export interface Pairing {
  readonly topic: string
  /** A secret. Use it only in the QR code or the wallet's link. */
  readonly uri: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
  /** Aborts with `pairing/expired` or `request/aborted`. */
  readonly signal: AbortSignal
  /** Deletes the pairing. If it was aborted, the wallet withdraws a displayed request. */
  close(): Promise<void>
}

/** Creates a pairing that expires together with its QR code. `methods` are the requests that the URI announces. */
export async function openPairing(
  rpc: RpcEngine,
  { methods, signal }: { methods: readonly string[]; signal: AbortSignal | undefined },
): Promise<Pairing> {
  const { clock } = rpc
  const symKey = rpc.crypto.random(32)
  const expiresAt = clock.now() + pairingExpiryMs
  const ended = new AbortController()
  const abort = (): void => ended.abort(new LatchkeyError('request/aborted'))
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  const cancel = clock.after(pairingExpiryMs, () => ended.abort(failure('pairing/expired')))
  const topic = await rpc.subscribe(symKey)
  return {
    topic,
    uri: formatPairingUri({ topic, symKey, expiry: Math.floor(expiresAt / 1000), methods }),
    expiresAt,
    signal: ended.signal,
    async close() {
      cancel()
      signal?.removeEventListener('abort', abort)
      if (signal?.aborted) await rpc.notify(topic, 'wc_pairingDelete', reasons.userDisconnected).catch(() => {})
      await rpc.unsubscribe(topic)
    },
  }
}
