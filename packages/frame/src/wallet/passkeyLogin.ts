import {
  type KeysUser,
  postPasskeyAccount,
  postPasskeyAccountOptions,
  postPasskeySignIn,
  postPasskeySignInOptions,
} from '@latchkey/protocol/http/keys'
import type { UnlockKey } from '@latchkey/vault'
import { getPasskeyUnlockKey } from './accountPasskey.ts'
import type { WalletDependencies } from './walletDependencies.ts'
import { canCreatePasskeys, openWalletPagePopup } from './walletPagePopup.ts'

/** The result of a passkey login. It includes the user if the login took place in this window. */
interface PasskeyLogin {
  readonly user?: KeysUser
  readonly key?: UnlockKey | undefined
}

/**
 * Shows the passkey login screen, on which the user signs in with an existing passkey, or creates an account with a new one. In
 * browsers that only create passkeys in top-level windows, the account is created in a window of the wallet page. `id` is the ID
 * of the page's request.
 */
export function askPasskeyLogin(dependencies: WalletDependencies, id: string | undefined): Promise<PasskeyLogin> {
  const { window, approvals } = dependencies
  const elsewhere = !canCreatePasskeys(window)
  return approvals.ask({
    id,
    subject: {
      kind: 'enter',
      entering: {
        origin: dependencies.embedder(),
        elsewhere,
        signIn: () => signInWithPasskey(dependencies),
        begin: elsewhere
          ? () => openWalletPagePopup(window, 'new').then(() => ({}))
          : () => createPasskeyAccount(dependencies),
      },
    },
    // Resolves immediately to close this screen, because the next step might need its own screen.
    perform: async (entered: PasskeyLogin) => entered,
  })
}

/** Signs in with a passkey that the user chooses. If the passkey supports PRF, the same prompt returns its unlock key. */
async function signInWithPasskey({ keysClient, window }: WalletDependencies): Promise<PasskeyLogin> {
  const { getPasskey } = await import('@latchkey/vault/webAuthn')
  const { options } = await keysClient(postPasskeySignInOptions)
  const { response, key } = await getPasskey(window, options)
  const { user } = await keysClient(postPasskeySignIn, { body: { response } })
  return { user, key }
}

/** Creates a passkey, and a new account that it signs in to. */
async function createPasskeyAccount(dependencies: WalletDependencies): Promise<PasskeyLogin> {
  const { keysClient, window, deviceName } = dependencies
  const { createPasskey } = await import('@latchkey/vault/webAuthn')
  const { options } = await keysClient(postPasskeyAccountOptions)
  const made = await createPasskey(window, options)
  const { user } = await keysClient(postPasskeyAccount, { body: { name: deviceName, response: made.response } })
  // A passkey without PRF support can still sign the user in. The device key is then the wallet's first key.
  return { user, key: made.key ?? (await getPasskeyUnlockKey(dependencies, [made.id]).catch(() => undefined)) }
}
