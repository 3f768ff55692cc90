import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { sanitizeName } from '@latchkey/protocol/untrustedNames'

/** Details about the request that failed. */
export interface FailedRequest {
  /** The wallet method, or a name for the action. */
  readonly request: string
  readonly connectorId: string
}

/**
 * Converts an error from a wallet to a `LatchkeyError`. Recognizes EIP-1193 and JSON-RPC codes, errors wrapped by relays or
 * libraries, and the messages of errors without a code. The original error becomes the `cause`. If the error or its cause is
 * already a `LatchkeyError`, that error is returned instead.
 */
export function toWalletError(error: unknown, { request, connectorId }: FailedRequest): LatchkeyError {
  const ours = oursIn(error)
  if (ours) return ours
  const options = { cause: error }
  const layers = layersOf(error)
  const codes = layers.map((layer) => layer.code)
  const walletMessage = layers.find((layer) => layer.message)?.message
  const message = sanitizeName(walletMessage, 500) ?? 'It gave no reason.'

  if (layers.some((layer) => layer.name === 'AbortError'))
    return new LatchkeyError('request/aborted', undefined, options)
  if (wasRejected(error)) return new LatchkeyError('user/rejected', { request }, options)
  // Nodes also use these codes for errors that occur after a transaction was sent.
  const isLate = layers.some((layer) => layer.message !== undefined && late.test(layer.message))
  if (isLate) return new LatchkeyError('wallet/failed', { message }, options)
  if (codes.includes(-32002)) return new LatchkeyError('wallet/busy', { connectorId }, options)
  if (codes.includes(4100)) return new LatchkeyError('wallet/not-authorized', { connectorId }, options)
  if (codes.includes(4200) || codes.includes(-32601)) {
    return new LatchkeyError('wallet/unsupported', { method: request }, options)
  }
  if (codes.includes(4900)) return new LatchkeyError('wallet/unresponsive', { connectorId }, options)
  return new LatchkeyError('wallet/failed', { message }, options)
}

/**
 * Returns `error` if it is a `LatchkeyError`. If the cause of `error` is a `LatchkeyError`, as in the embedded wallet's EIP-1193
 * errors, returns the cause. Checks the class, because a wallet's error can imitate a `LatchkeyError`. `error` can also throw
 * when its properties are read.
 */
function oursIn(error: unknown): LatchkeyError | undefined {
  try {
    if (error instanceof LatchkeyError) return error
    return error instanceof Error && error.cause instanceof LatchkeyError ? error.cause : undefined
  } catch {
    return undefined
  }
}

/** Whether `error` means that the user rejected the request, in any of the known formats. */
export function wasRejected(error: unknown): boolean {
  return layersOf(error).some(
    ({ code, message }) =>
      code === 4001 ||
      code === 'ACTION_REJECTED' ||
      code === 'user/rejected' ||
      // With other codes, only the message indicates a rejection. MetaMask Mobile and older WalletConnect wallets use -32603.
      ((code === undefined || code === -32603 || code === -32000) && message !== undefined && rejection.test(message)),
  )
}

/** Whether `error` means that the chain must be added to the wallet first (4902 in EIP-3326, or another common code). */
export function wantsChainAdded(error: unknown): boolean {
  if (layersOf(error).some(({ code }) => code === 4902)) return true
  if (wasRejected(error)) return false
  return layersOf(error).some(
    ({ code, message }) =>
      code === 5000 || code === 32603 || code === -32603 || (message !== undefined && unknownChain.test(message)),
  )
}

/** Whether `error` means that the provider is disconnected from all chains (4900 in EIP-1193). */
export function wasDisconnected(error: unknown): boolean {
  return layersOf(error).some(({ code }) => code === 4900 || code === 'wallet/unresponsive')
}

const rejection =
  /\b(user|visitor)\b(?! op).{0,20}\b(rejected|denied|declined|cancell?ed|disapproved)\b|\b(rejected|denied|declined|cancell?ed) by (the )?user\b|denied (transaction|message) signature|^\s*cancell?ed\.?\s*$/i
const late = /time.?d? ?out|receipt|eth_getTransaction/i
const unknownChain = /unrecogni[sz]ed chain|chain .{0,40}(not (been )?added|not found|not recogni[sz]ed)/i

interface Layer {
  readonly code: unknown
  readonly name: string | undefined
  readonly message: string | undefined
}

/**
 * Lists `error` and the errors that it wraps, outermost first. Errors from wallets are untrusted: reading a property can throw,
 * and an error can contain itself.
 */
function layersOf(error: unknown): readonly Layer[] {
  const layers: Layer[] = []
  const waiting: unknown[] = [error]
  const seen = new Set<unknown>()
  while (waiting.length > 0 && layers.length < 8) {
    const now = waiting.shift()
    if (now === undefined || now === null || seen.has(now)) continue
    seen.add(now)
    if (typeof now === 'string') {
      layers.push({ code: undefined, name: undefined, message: now.slice(0, 500) })
      continue
    }
    if (typeof now !== 'object') continue
    const message = read(now, 'message')
    const name = read(now, 'name')
    layers.push({
      code: asCode(read(now, 'code')),
      name: typeof name === 'string' ? name : undefined,
      message: typeof message === 'string' && message !== '' ? message.slice(0, 500) : undefined,
    })
    const data = read(now, 'data')
    waiting.push(data, read(now, 'originalError'), read(now, 'cause'), read(now, 'error'))
    const info = read(now, 'info')
    if (typeof info === 'object' && info !== null) waiting.push(read(info, 'error'))
  }
  return layers
}

function read(from: object, key: string): unknown {
  try {
    return (from as Record<string, unknown>)[key]
  } catch {
    return undefined
  }
}

/** Converts a numeric string to a number, because some wallets send codes as strings. */
function asCode(code: unknown): unknown {
  return typeof code === 'string' && /^-?\d{1,6}$/.test(code) ? Number(code) : code
}
