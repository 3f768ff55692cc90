import { isVaultFailure } from '../vaultClient.ts'

/** Whether the server requires the user to reauthenticate. */
export function requiresReauthentication(error: unknown): boolean {
  return isVaultFailure(error, 'session/stale')
}
