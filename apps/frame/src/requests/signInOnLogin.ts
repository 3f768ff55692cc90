import { toUtf8 } from '@latchkey/protocol/bytes'
import type { ChainId } from '@latchkey/protocol/caip'
import { accountPlaceholder } from '@latchkey/protocol/constants'
import type { Siwx } from '@latchkey/protocol/frame/messages'
import { readMessage as fieldsOf } from '@latchkey/protocol/signIn/message'
import { readMessage } from '../decoders/message.ts'
import type { OpenedWallet } from '../embeddedWallet.ts'
import type { FrameContext, SignedMessage } from '../frameContext.ts'
import type { WalletAccount } from '../walletAccounts.ts'
import { askToSign } from './signMessage.ts'

/** What a page asks to have signed as somebody logs in, and with which account. */
export interface SignInAsked {
  readonly id: string | undefined
  /** The page, as the browser reports it. */
  readonly origin: string
  readonly chain: ChainId<'eip155' | 'solana'>
  readonly account: WalletAccount
  readonly siwx: Siwx
}

/**
 * Signs in whoever logs in, after a yes on a screen of ours (frame 4.16). `undefined` where they said no, or what the page sent is not a
 * sign-in to itself for this account and network, said alike by its fields and its text: nobody is kept out of their account by that. A
 * sign-in to another site is shown as what it is.
 */
export async function signInOnLogin(
  context: FrameContext,
  open: OpenedWallet,
  request: SignInAsked,
): Promise<SignedMessage | undefined> {
  const { origin, chain, account, siwx } = request
  const { serializedMessage = '', accountAddress } = siwx
  if (!chain.startsWith('eip155:') || accountAddress !== accountPlaceholder) return undefined
  const message = serializedMessage.replace(accountPlaceholder, () => account.address)
  const bytes = toUtf8(message)
  const reading = readMessage(bytes, { origin, address: account.address })
  const isPhish = reading.kind === 'refused' && reading.because === 'other-site'
  if (!isPhish && !(reading.kind === 'signIn' && saysTheSame(message, request))) return undefined

  // A page whose question got no answer asks again; nobody is asked twice for one text.
  const key = `${origin} ${message}`
  const before = context.signIns.get(key)
  if (before) return before
  const signing = askToSign(context, open, { ...request, bytes }).then(
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

/** Whether the text says what the fields say, and nothing beside it. */
function saysTheSame(message: string, { siwx, chain }: SignInAsked): boolean {
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
