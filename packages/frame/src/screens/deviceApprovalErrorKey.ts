import { KeyError } from '@latchkey/vault/errors'
import { isKeysFailure } from '../keysApiClient.ts'
import type { MessageKey } from '../texts/translations.ts'

/** Returns the key of the message to show when a device approval fails. */
export function deviceApprovalErrorKey(error: unknown): MessageKey {
  if (isKeysFailure(error, 'session/stale', 'session/none')) return 'deviceStale'
  if (isKeysFailure(error, 'limit/reached')) return 'deviceOften'
  if (isKeysFailure(error, 'transfer/held')) return 'requestHeld'
  if (!(error instanceof KeyError)) return 'deviceLost'
  if (error.code === 'approval/refused') return 'deviceRefused'
  if (error.code === 'approval/wrong-words') return 'requestWrong'
  if (error.code === 'approval/expired') return 'deviceExpired'
  return error.code.startsWith('approval/') ? 'deviceMismatch' : 'deviceFailed'
}
