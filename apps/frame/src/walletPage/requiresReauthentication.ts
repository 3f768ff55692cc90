import { isVaultFailure } from '../vaultClient.ts'

/** Whether the server wants to know anew who is here. */
export function requiresReauthentication(error: unknown): boolean {
  return isVaultFailure(error, 'session/stale')
}
