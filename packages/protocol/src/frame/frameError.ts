import { failure } from '../errors/errorMessages.ts'
import { LatchkeyError } from '../latchkeyError.ts'
import { frameTexts, type MethodName, type MethodParams } from './messages.ts'

/** Converts an error message from a frame to an error. Frames send no error codes, so known messages are mapped to codes. */
export function frameError(message: string, name: MethodName, payload: unknown): LatchkeyError {
  const method = name === 'RPC_REQUEST' ? (payload as MethodParams<'RPC_REQUEST'>).method : name
  if (name === 'RPC_REQUEST') {
    if (message === frameTexts.rejected) return new LatchkeyError('user/rejected', { request: method })
    if (message === frameTexts.aborted) return new LatchkeyError('request/aborted')
    if (message === frameTexts.notAllowed) return failure('frame/not-allowed', { method })
  }
  if (name.startsWith('CONNECT_') && message === frameTexts.noPasskeys) return failure('frame/no-passkeys')
  if (message.startsWith(frameTexts.serverAway)) {
    const seconds = /in (\d{1,6}) seconds?$/.exec(message)?.[1]
    return new LatchkeyError('wallet/unreachable', {
      connectorId: 'ID_AUTH',
      ...(seconds && { retryAfterMs: Number(seconds) * 1000 }),
    })
  }
  return failure('frame/failed', { message: message || undefined })
}
