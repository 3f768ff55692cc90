import { postPasskeyOptions, type WebAuthnJson } from '@latchkey/protocol/http/keys'
import type { UnlockKey } from '@latchkey/vault'
import { PublicError } from '../publicError.ts'
import type { WalletDependencies } from './walletDependencies.ts'

/** Creates a passkey for the signed-in account. Resolves to the unlock key and to the response for the server. */
export async function createAccountPasskey(
  dependencies: WalletDependencies,
): Promise<{ readonly made: WebAuthnJson; readonly key: UnlockKey }> {
  const { createPasskey } = await import('@latchkey/vault/webAuthn')
  const { options } = await dependencies.keysClient(postPasskeyOptions)
  const { id, key, response } = await createPasskey(dependencies.window, options)
  return { made: response, key: key ?? (await getPasskeyUnlockKey(dependencies, [id])) }
}

/**
 * Prompts for one of the given passkeys and returns its unlock key. The user is already signed in.
 * @throws {PublicError} if the passkey does not support PRF.
 */
export async function getPasskeyUnlockKey(
  { window, environment }: WalletDependencies,
  ids: readonly string[],
): Promise<UnlockKey> {
  const { getPasskey, prfRequestOptions } = await import('@latchkey/vault/webAuthn')
  const { key } = await getPasskey(window, prfRequestOptions(environment, ids))
  if (!key) throw new PublicError('This passkey cannot open a wallet')
  return key
}
