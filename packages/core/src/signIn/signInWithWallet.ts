import { toUtf8 } from '@latchkey/protocol/bytes'
import { type AccountId, addressOf, namespaceOf } from '@latchkey/protocol/caip'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import { isLatchkeyError, LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { writeMessage } from '@latchkey/siwx/message'
import type { Session } from '../adapter.ts'
import type { AccountView } from '../latchkeyTypes.ts'
import { encodeSignature } from './encodeSignature.ts'
import type { AuthenticationAdapter, SignInFields, SignInSession } from './signInTypes.ts'

/**
 * Requests a signature from the wallet and stores the session. `account` is `undefined` if no account is connected, or if the
 * wallet is on a network that the host does not support.
 */
export async function signInWithWallet({
  authentication,
  account,
  session,
  connection: { chain, health, connectorId = '' },
  isContract,
  signal,
}: {
  readonly authentication: Pick<AuthenticationAdapter, 'createMessage' | 'writeMessage' | 'addSession'>
  readonly account: AccountId | undefined
  readonly session: Session | undefined
  readonly connection: Pick<AccountView, 'chain' | 'health' | 'connectorId'>
  /** Whether the account is known to be a contract. */
  isContract(): boolean
  readonly signal: AbortSignal
}): Promise<SignInSession> {
  if (!session && health === 'unknown') throw new LatchkeyError('wallet/unreachable', { connectorId })
  if (!account && !chain)
    throw failure('sign-in/no-address', undefined, { cause: new Error('No account is connected. Connect first.') })
  if (!account || !chain) throw failure('sign-in/no-network')
  if (!session?.can.signMessage) throw failure('sign-in/no-client')
  const params = await authentication.createMessage({ account, chain })
  const data: SignInFields = { ...params, chainId: chain, accountAddress: addressOf(account) }
  const message = await (authentication.writeMessage?.(data) ?? writeMessage(data))
  // The user might have disconnected or changed the account while the message was created.
  if (signal.aborted) throw new LatchkeyError('request/aborted')
  const signature = await session.can.signMessage({ account, message: toUtf8(message) }).catch((cause: unknown) => {
    throw failure(isContract() ? 'sign-in/no-smart-accounts' : 'sign-in/declined', undefined, { cause })
  })
  // The request has been cancelled, so ignore the signature.
  if (signal.aborted) throw new LatchkeyError('request/aborted')
  const signed: SignInSession = { data, message, signature: encodeSignature(namespaceOf(account), signature) }
  await authentication.addSession(signed).catch((cause: unknown) => {
    // A host's adapter can throw any error.
    throw isLatchkeyError(cause) ? cause : failure('sign-in/invalid', undefined, { cause })
  })
  return signed
}
