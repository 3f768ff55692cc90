import type { ConnectorContext, SignInOnLogin } from '@latchkey/core/adapter'
import { type ChainId, namespaceOf } from '@latchkey/protocol/caip'
import type { FrameUser, Siwx } from '@latchkey/protocol/frame/messages'
import { accountPlaceholder } from '@latchkey/protocol/specificationConstants'
import { unlessFrameAborted } from './unlessFrameAborted.ts'

/** Prepares a sign-in message for the login. If this fails, the login continues and the user signs in later. */
export async function prepareSignIn(
  host: Pick<ConnectorContext, 'log' | 'network' | 'signInOnLogin'>,
  chain: ChainId,
  signal?: AbortSignal,
): Promise<SignInOnLogin | undefined> {
  // Solana accounts sign in later, when they become active.
  if (namespaceOf(chain) !== 'eip155' || host.network()?.chainNamespace === 'solana') return undefined
  const prepared = host.signInOnLogin(chain).catch((error: unknown) => {
    host.log.warn('Unable to sign in during login', error)
    return undefined
  })
  return unlessFrameAborted(prepared, signal)
}

/** Converts a sign-in to its wire format: the fields and the message, with a placeholder for the account's address. */
export function siwxOf({ fields, message }: SignInOnLogin): Siwx {
  const { resources, ...rest } = fields
  return { ...rest, ...(resources && { resources: [...resources] }), serializedMessage: message }
}

/**
 * Stores the signed message from the frame's user response, if the response includes one.
 * @throws if the frame signed a different message.
 */
export async function keepSigned(params: SignInOnLogin, user: FrameUser): Promise<void> {
  const { address, message, signature } = user
  if (message === undefined || signature === undefined) return
  if (!isOf(params.message, address, message)) throw new Error('The frame signed a different message than requested.')
  await params.keep({ address, message, signature })
}

/** Whether `message` is `wanted` with the placeholder replaced by `address`, ignoring the case of the address. */
function isOf(wanted: string, address: string, message: string): boolean {
  const at = wanted.indexOf(accountPlaceholder)
  if (at < 0) return false
  const before = wanted.slice(0, at)
  const after = wanted.slice(at + accountPlaceholder.length)
  const written = message.slice(at, at + address.length)
  return message === `${before}${written}${after}` && written.toLowerCase() === address.toLowerCase()
}
