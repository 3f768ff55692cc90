import { type ChainId, namespaceOf } from '@latchkey/protocol/caip'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import { accountPlaceholder } from '@latchkey/protocol/specificationConstants'
import { writeMessage } from '@latchkey/siwx/message'
import type { ConnectorContext } from '../adapter.ts'
import type { AuthenticationAdapter, SignInFields } from './signInTypes.ts'

/** The address with which the message is created before the account is known. A message without an address is invalid. */
const nobody = '0x0000000000000000000000000000000000000000'

/**
 * Returns a function that creates the message for the embedded wallet to sign during login (EVM only) and stores the signed
 * message once.
 */
export function createSignInOnLogin({
  authentication,
}: {
  readonly authentication: AuthenticationAdapter
}): ConnectorContext['signInOnLogin'] {
  return async (chain: ChainId) => {
    if (namespaceOf(chain) !== 'eip155') return undefined
    const words = await authentication.createMessage({ chain })
    const fields: SignInFields = { ...words, chainId: chain, accountAddress: nobody }
    const text = await (authentication.writeMessage?.(fields) ?? writeMessage(fields))
    const lines = text.split('\n')
    const at = lines.indexOf(nobody)
    // If a host's custom format does not contain the address on exactly one separate line, the user is prompted after the login.
    if (at < 0 || at !== lines.lastIndexOf(nobody)) return undefined
    const message = lines.map((line, index) => (index === at ? accountPlaceholder : line)).join('\n')
    let stored: Promise<void> | undefined
    return {
      fields: { ...fields, accountAddress: accountPlaceholder },
      message,
      keep({ address, message: signed, signature }) {
        stored ??= (async () => {
          const signedLines = signed.split('\n')
          // Some wallets use a checksummed address, and others do not.
          const by = signedLines[at] ?? ''
          const isOurs =
            by.toLowerCase() === address.toLowerCase() && signed === message.replace(accountPlaceholder, () => by)
          if (!isOurs) throw failure('sign-in/invalid')
          await authentication.addSession({ data: { ...fields, accountAddress: by }, message: signed, signature })
        })()
        return stored
      },
    }
  }
}
