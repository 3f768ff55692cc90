import { fromBase58, toBase64 } from '@latchkey/protocol/bytes'
import { base58 } from '@scure/base'
import * as v from 'valibot'
import type { House } from '../house.ts'
import { solanaSigner } from '../keys/signers/solana.ts'
import { isSolanaMessage, parseSolanaTransaction } from '../keys/signers/solanaTransaction.ts'
import { readMessage } from '../readable/message.ts'
import { readSolana } from '../readable/solana.ts'
import { Refusal } from '../refusal.ts'
import type { OpenWallet } from '../wallet.ts'
import type { RpcAsked } from './asked.ts'
import { settingOf } from './setting.ts'

const messageSchema = v.object({ message: v.pipe(v.string(), v.maxLength(8192)), pubkey: v.string() })
const oneSchema = v.object({ transaction: v.string(), options: v.optional(v.record(v.string(), v.unknown())) })
const manySchema = v.object({ transactions: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(20)) })

/** The four Solana requests: a message, one transaction, several, and one that is sent as well. */
export async function solana(house: House, open: OpenWallet, asked: RpcAsked): Promise<unknown> {
  const signer = solanaSigner(open.vault)
  switch (asked.method) {
    case 'solana_signMessage':
      return message(house, open, asked)
    case 'solana_signTransaction': {
      const { transaction } = given(oneSchema, asked)
      return agreed(house, open, {
        asked,
        texts: [transaction],
        perform: async () => ({ transaction: (await signer.signTransaction({ transaction })).transaction }),
      })
    }
    case 'solana_signAllTransactions': {
      const { transactions } = given(manySchema, asked)
      return agreed(house, open, {
        asked,
        texts: transactions,
        perform: () => signer.signAllTransactions({ transactions }),
      })
    }
    default: {
      const { transaction, options = {} } = given(oneSchema, asked)
      return agreed(house, open, {
        asked,
        texts: [transaction],
        send: true,
        async perform() {
          const signed = await signer.signTransaction({ transaction })
          const bytes = base58.decode(signed.transaction)
          await house.rpc(asked.chain, 'sendTransaction', [toBase64(bytes), { ...options, encoding: 'base64' }])
          return { signature: signed.signature }
        },
      })
    }
  }
}

async function message(house: House, open: OpenWallet, asked: RpcAsked): Promise<unknown> {
  const { message, pubkey } = given(messageSchema, asked)
  const account = open.addresses.solana
  if (pubkey !== account) throw new Refusal('This account is not in the wallet')
  const bytes = fromBase58(message) ?? base58.decode(message)
  if (isSolanaMessage(bytes)) throw new Refusal('This is a transaction, not a message')
  const reading = readMessage(bytes, { origin: asked.origin, address: account })
  return house.approvals.ask({
    id: asked.id,
    subject: { kind: 'message', setting: settingOf(asked, open), reading },
    perform: async () => {
      if (reading.kind === 'refused') throw new Refusal('This sign-in is not for this page')
      return solanaSigner(open.vault).signMessage({ message, pubkey })
    },
  })
}

/** Does what the visitor has agreed to. */
async function agreed<Result>(
  house: House,
  open: OpenWallet,
  {
    asked,
    texts,
    send = false,
    perform,
  }: { asked: RpcAsked; texts: readonly string[]; send?: boolean; perform: () => Promise<Result> },
): Promise<Result> {
  const account = open.addresses.solana
  const readings = texts.map((text) => {
    const { message } = transactionIn(text)
    if (!message.accounts.slice(0, message.signerCount).includes(account))
      throw new Refusal('This transaction is not for this account')
    return readSolana(message)
  })
  return house.approvals.ask({
    id: asked.id,
    subject: { kind: 'solana', setting: settingOf(asked, open), readings, send },
    perform,
  })
}

function transactionIn(text: string): ReturnType<typeof parseSolanaTransaction> {
  try {
    // At most 1,232 bytes: longer than what `fromBase58` takes from strangers, and checked before it is decoded.
    if (text.length > 1_800) throw new RangeError('too large')
    return parseSolanaTransaction(base58.decode(text))
  } catch (cause) {
    throw new Refusal('Expected a transaction', { cause })
  }
}

function given<Said>(schema: v.GenericSchema<unknown, Said>, { method, params }: RpcAsked): Said {
  // Some pages wrap the one parameter in a list.
  const result = v.safeParse(schema, Array.isArray(params) ? params[0] : params)
  if (!result.success) throw new Refusal(`${method}: Unexpected parameters`)
  return result.output
}
