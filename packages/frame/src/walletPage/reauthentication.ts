import {
  getMe,
  type KeysMe,
  postEmailCode,
  postPasskeySignIn,
  postPasskeySignInOptions,
} from '@latchkey/protocol/http/keys'
import { type CryptoEnvironment, KeyError, parseRecord, type UnlockKey } from '@latchkey/vault'
import type { PasskeyWindow } from '@latchkey/vault/webAuthn'
import type { AccountSession } from '../accountSession.ts'
import type { KeysApiClient } from '../keysApiClient.ts'
import { PublicError } from '../publicError.ts'
import type { EmbeddedWallet, OpenedWallet } from '../wallet/embeddedWallet.ts'
import { getRecoveryCodeKey } from '../wallet/recoveryCodeKey.ts'

/** The credential that the user provides to reauthenticate. */
export type ReauthenticationProof =
  | { readonly kind: 'passkey' }
  | { readonly kind: 'code'; readonly otp: string }
  | { readonly kind: 'kit'; readonly typed: string }

/** The dependencies of `reauthenticate`. */
export interface ReauthenticationDependencies {
  readonly keysClient: KeysApiClient
  readonly session: Pick<AccountSession, 'me' | 'signedIn'>
  readonly wallet: Pick<EmbeddedWallet, 'lock' | 'open'>
  readonly environment: CryptoEnvironment
  readonly window: PasskeyWindow
}

/** Verifies the user's credential and opens the wallet again with the key that belongs to the credential. */
export async function reauthenticate(
  dependencies: ReauthenticationDependencies,
  me: KeysMe,
  proof: ReauthenticationProof,
): Promise<OpenedWallet> {
  const { session, wallet } = dependencies
  const key = await verifyProof(dependencies, proof)
  const now = await session.me()
  if (now?.user.id !== me.user.id) throw new PublicError('Another account is signed in')
  wallet.lock()
  return wallet.open(now, key)
}

/** Resolves to the credential's unlock key, or to `undefined` for an emailed code, which has none. */
async function verifyProof(
  { keysClient, session, environment, window }: ReauthenticationDependencies,
  proof: ReauthenticationProof,
): Promise<UnlockKey | undefined> {
  if (proof.kind === 'code') {
    const { user } = await keysClient(postEmailCode, { body: { otp: proof.otp } })
    session.signedIn(user)
    return undefined
  }
  // The current wrappers are fetched, because a key might have been added since the page loaded.
  const { record } = await keysClient(getMe)
  const wrappers = record === null ? [] : parseRecord(record.record).wrappers
  if (proof.kind === 'kit') {
    const key = await getRecoveryCodeKey(environment, proof.typed)
    if (!wrappers.some(({ id }) => id === key.id)) throw new KeyError('wrapper/unknown')
    return key
  }
  const ids = wrappers.filter(({ kind }) => kind === 'passkey').map(({ id }) => id)
  const { getPasskey } = await import('@latchkey/vault/webAuthn')
  const { options } = await keysClient(postPasskeySignInOptions)
  // Only this wallet's passkeys are requested, because a passkey for a different account would log in to that account.
  const requestOptions = { ...options, allowCredentials: ids.map((id) => ({ id, type: 'public-key' })) }
  const { key, response } = await getPasskey(window, requestOptions)
  const { user } = await keysClient(postPasskeySignIn, { body: { response } })
  session.signedIn(user)
  if (!key || !ids.includes(key.id)) throw new PublicError('This passkey cannot open a wallet')
  return key
}
