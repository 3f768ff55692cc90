import { isKeysFailure } from '../keysApiClient.ts'

/** Whether the server requires the user to reauthenticate. */
export function requiresReauthentication(error: unknown): boolean {
  return isKeysFailure(error, 'session/stale')
}
