import { toUtf8 } from '@latchkey/protocol/bytes'
import type { ChainId } from '@latchkey/protocol/caip'
import type { Siwx } from '@latchkey/protocol/frame/messages'
import type { KeysMe } from '@latchkey/protocol/http/keys'
import { accountPlaceholder } from '@latchkey/protocol/specificationConstants'
import { readMessage as fieldsOf } from '@latchkey/siwx/message'
import { decodeMessage } from '../decoders/decodeMessage.ts'
import type { FrameContext, SignedMessage } from '../frameContext.ts'
import type { OpenedWallet } from '../wallet/embeddedWallet.ts'
import type { WalletAccount } from '../wallet/walletAccounts.ts'
import { requireSameUser } from './requireSameUser.ts'
import { askToSign } from './signMessage.ts'

/** A sign-in message that a page asks the user to sign during login, and the account that signs it. */
export interface SignInRequest {
  readonly id: string | undefined
  /** The page's origin, as reported by the browser. */
  readonly origin: string
  readonly chain: ChainId<'eip155' | 'solana'>
  readonly account: WalletAccount
  readonly siwx: Siwx
  /** The user who is logging in. */
  readonly me: Pick<KeysMe, 'user'>
}

/**
 * Signs a sign-in message during login after the user approves it on a screen in the frame (frame 4.16). Resolves to `undefined`
 * if the user rejects the message. It also resolves to `undefined` unless the message is valid for the requesting page, this
 * account and this network, and its text matches its fields. The login then continues without a signature. A message for a
 * different site is shown to the user as such.
 */
export async function signInOnLogin(
  context: FrameContext,
  open: OpenedWallet,
  request: SignInRequest,
): Promise<SignedMessage | undefined> {
  const { origin, chain, account, siwx } = request
  const { serializedMessage = '', accountAddress } = siwx
  if (!chain.startsWith('eip155:') || accountAddress !== accountPlaceholder) return undefined
  const message = serializedMessage.replace(accountPlaceholder, () => account.address)
  const bytes = toUtf8(message)
  const reading = decodeMessage(bytes, { origin, address: account.address })
  const isPhish = reading.kind === 'refused' && reading.because === 'other-site'
  if (!isPhish && !(reading.kind === 'signIn' && saysTheSame(message, request))) return undefined

  // A page repeats a request that gets no response, but the user must not be prompted twice for the same message.
  const key = `${origin} ${message}`
  const before = context.signIns.get(key)
  if (before) return before
  const signing = askToSign(requireSameUser(context, request.me), open, { ...request, bytes }).then(
    (signature) => ({
      message,
      signature,
      siwxMessage: { ...siwx, accountAddress: account.address, serializedMessage: message },
    }),
    () => undefined,
  )
  context.signIns.clear()
  context.signIns.set(key, signing)
  return signing
}

/** Whether the text of the message matches its fields exactly. */
function saysTheSame(message: string, { siwx, chain }: SignInRequest): boolean {
  const fields = fieldsOf(message, 'eip155')
  if (!fields || fields.chainId !== chain) return false
  const { resources = [] } = fields
  const names = [
    'domain',
    'uri',
    'version',
    'nonce',
    'chainId',
    'statement',
    'issuedAt',
    'expirationTime',
    'notBefore',
    'requestId',
  ] as const
  return (
    names.every((name) => fields[name] === siwx[name]) && resources.join('\n') === (siwx.resources ?? []).join('\n')
  )
}
