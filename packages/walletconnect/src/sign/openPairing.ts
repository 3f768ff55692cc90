import { failure } from '@latchkey/protocol/errors/errorMessages'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { pairingExpiryMs } from '@latchkey/protocol/specificationConstants'
import { formatPairingUri } from '../pairingUri.ts'
import { reasons } from './protocolMethods.ts'
import type { RpcEngine } from './rpcEngine.ts'

/** A dapp's pairing, which a wallet can join. */
export interface Pairing {
  readonly topic: string
  /** The pairing URI. It is secret, so use it only in the QR code or in the link to the wallet. */
  readonly uri: string
  /** When the pairing expires, in epoch milliseconds. */
  readonly expiresAt: number
  /** A signal that aborts with `pairing/expired` or `request/aborted`. */
  readonly signal: AbortSignal
  /** Deletes the pairing. If the pairing was aborted, the wallet is notified and withdraws any request that it displays. */
  close(): Promise<void>
}

/**
 * Creates a pairing that expires together with its QR code. The URI lists `methods` as the methods that the dapp will request.
 */
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
