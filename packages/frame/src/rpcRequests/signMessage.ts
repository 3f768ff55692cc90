import { fromHex, toHex, toUtf8 } from '@latchkey/protocol/bytes'
import { eip155Signer } from '@latchkey/vault/signers/eip155'
import * as v from 'valibot'
import { hashMessage } from 'viem'
import { approvalContextOf } from '../approvals/approvalContext.ts'
import { decodeMessage } from '../decoders/decodeMessage.ts'
import type { FrameContext } from '../frameContext.ts'
import { PublicError } from '../publicError.ts'
import type { OpenedWallet } from '../wallet/embeddedWallet.ts'
import { getWalletAccounts, type WalletAccount } from '../wallet/walletAccounts.ts'
import type { WalletRpcRequest } from './walletRpcRequest.ts'

const paramsSchema = v.tuple([v.pipe(v.string(), v.maxLength(500_000)), v.string()])

/** Handles `personal_sign`. Signs a message that is given as hex or text. */
export async function signMessage(
  context: FrameContext,
  open: OpenedWallet,
  request: WalletRpcRequest,
): Promise<string> {
  const parsed = v.safeParse(paramsSchema, request.params)
  if (!parsed.success) throw new PublicError('personal_sign: Expected a message and an address')
  const all = await getWalletAccounts(context, open, request.chain)
  const named = (text: string): WalletAccount | undefined => all.find(({ address }) => isAccount(text, address))
  // Some libraries send the two parameters in reverse order.
  const [first, second] = parsed.output
  const turned = named(first)
  const account = turned ?? named(second)
  if (!account) throw new PublicError('This account is not in the wallet')
  const message = turned ? second : first
  const bytes = (/^0x/i.test(message) ? fromHex(message) : undefined) ?? toUtf8(message)
  return askToSign(context, open, { ...request, account, bytes })
}

/** Shows a decoded message and signs it with `account` after approval. */
export async function askToSign(
  context: FrameContext,
  open: OpenedWallet,
  request: Pick<WalletRpcRequest, 'id' | 'origin' | 'chain'> & {
    readonly account: WalletAccount
    readonly bytes: Uint8Array
  },
): Promise<string> {
  const { account, bytes } = request
  const ownsContract = account.type === 'eoa' && (await context.config()).bundlers.length > 0
  const reading = decodeMessage(bytes, { origin: request.origin, address: account.address, ownsContract })
  return context.approvals.ask({
    id: request.id,
    subject: { kind: 'message', setting: approvalContextOf(request, open, account), reading },
    perform: async () => {
      if (reading.kind === 'refused') throw new PublicError('This must not be signed')
      const signed = { message: { raw: toHex(bytes) } }
      if (account.type === 'eoa') return eip155Signer(open.vault).signMessage(signed)
      const { signWithSafe } = await import('../smartAccount/signWithSafe.ts')
      return signWithSafe(context, open, { chain: request.chain, hash: hashMessage(signed.message) })
    },
  })
}

function isAccount(text: string, account: string): boolean {
  return text.toLowerCase() === account.toLowerCase()
}
