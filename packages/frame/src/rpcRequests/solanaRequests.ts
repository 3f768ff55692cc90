import { fromBase58, toBase64 } from '@latchkey/protocol/bytes'
import { solanaSigner } from '@latchkey/vault/signers/solana'
import { isSolanaMessage, parseSolanaTransaction } from '@latchkey/vault/signers/solanaTransaction'
import { base58 } from '@scure/base'
import * as v from 'valibot'
import { approvalContextOf } from '../approvals/approvalContext.ts'
import { decodeMessage } from '../decoders/decodeMessage.ts'
import { readSolana } from '../decoders/solanaTransaction.ts'
import type { FrameContext } from '../frameContext.ts'
import { PublicError } from '../publicError.ts'
import type { OpenedWallet } from '../wallet/embeddedWallet.ts'
import type { WalletRpcRequest } from './walletRpcRequest.ts'

const messageSchema = v.object({ message: v.pipe(v.string(), v.maxLength(4096)), pubkey: v.string() })
const oneSchema = v.object({ transaction: v.string(), options: v.optional(v.record(v.string(), v.unknown())) })
const manySchema = v.object({ transactions: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(20)) })

/** Handles the Solana requests that sign a message, sign one or several transactions, or sign and send a transaction. */
export async function handleSolanaRequest(
  context: FrameContext,
  open: OpenedWallet,
  request: WalletRpcRequest,
): Promise<unknown> {
  const signer = solanaSigner(open.vault)
  switch (request.method) {
    case 'solana_signMessage':
      return message(context, open, request)
    case 'solana_signTransaction': {
      const { transaction } = parseParams(oneSchema, request)
      return agreed(context, open, {
        request,
        texts: [transaction],
        perform: async () => ({ transaction: (await signer.signTransaction({ transaction })).transaction }),
      })
    }
    case 'solana_signAllTransactions': {
      const { transactions } = parseParams(manySchema, request)
      return agreed(context, open, {
        request,
        texts: transactions,
        perform: () => signer.signAllTransactions({ transactions }),
      })
    }
    default: {
      const { transaction, options = {} } = parseParams(oneSchema, request)
      return agreed(context, open, {
        request,
        texts: [transaction],
        send: true,
        async perform() {
          const signed = await signer.signTransaction({ transaction })
          const bytes = base58.decode(signed.transaction)
          await context.rpc(request.chain, 'sendTransaction', [toBase64(bytes), { ...options, encoding: 'base64' }])
          return { signature: signed.signature }
        },
      })
    }
  }
}

async function message(context: FrameContext, open: OpenedWallet, request: WalletRpcRequest): Promise<unknown> {
  const { message, pubkey } = parseParams(messageSchema, request)
  const account = open.addresses.solana
  if (pubkey !== account) throw new PublicError('This account is not in the wallet')
  const bytes = fromBase58(message) ?? base58.decode(message)
  if (isSolanaMessage(bytes)) throw new PublicError('This is a transaction, not a message')
  const reading = decodeMessage(bytes, { origin: request.origin, address: account })
  return context.approvals.ask({
    id: request.id,
    subject: { kind: 'message', setting: approvalContextOf(request, open), reading },
    perform: async () => {
      if (reading.kind === 'refused') throw new PublicError('This sign-in is not for this page')
      return solanaSigner(open.vault).signMessage({ message, pubkey })
    },
  })
}

/** Runs an action after the user approves it. */
async function agreed<Result>(
  context: FrameContext,
  open: OpenedWallet,
  {
    request,
    texts,
    send = false,
    perform,
  }: { request: WalletRpcRequest; texts: readonly string[]; send?: boolean; perform: () => Promise<Result> },
): Promise<Result> {
  const account = open.addresses.solana
  const readings = texts.map((text) => {
    const { message } = transactionIn(text)
    if (!message.accounts.slice(0, message.signerCount).includes(account))
      throw new PublicError('This transaction is not for this account')
    return readSolana(message)
  })
  return context.approvals.ask({
    id: request.id,
    subject: { kind: 'solana', setting: approvalContextOf(request, open), readings, send },
    perform,
  })
}

function transactionIn(text: string): ReturnType<typeof parseSolanaTransaction> {
  try {
    // A transaction has at most 1,232 bytes. The length is checked before decoding, because decoding long text is slow.
    if (text.length > 1_800) throw new RangeError('too large')
    return parseSolanaTransaction(base58.decode(text))
  } catch (cause) {
    throw new PublicError('Expected a transaction', { cause })
  }
}

function parseParams<Params>(schema: v.GenericSchema<unknown, Params>, { method, params }: WalletRpcRequest): Params {
  // Some pages wrap the single parameter in an array.
  const result = v.safeParse(schema, Array.isArray(params) ? params[0] : params)
  if (!result.success) throw new PublicError(`${method}: Unexpected parameters`)
  return result.output
}
