import { fromHex, toHex, toUtf8 } from '@latchkey/protocol/bytes'
import * as v from 'valibot'
import { hashMessage } from 'viem'
import { type Account, accountsOn } from '../accounts.ts'
import type { House } from '../house.ts'
import { eip155Signer } from '../keys/signers/eip155.ts'
import { readMessage } from '../readable/message.ts'
import { Refusal } from '../refusal.ts'
import type { OpenWallet } from '../wallet.ts'
import type { RpcAsked } from './asked.ts'
import { settingOf } from './setting.ts'

const paramsSchema = v.tuple([v.pipe(v.string(), v.maxLength(500_000)), v.string()])

/** `personal_sign`: a message, in hex or as text. */
export async function signMessage(house: House, open: OpenWallet, asked: RpcAsked): Promise<string> {
  const given = v.safeParse(paramsSchema, asked.params)
  if (!given.success) throw new Refusal('personal_sign: Expected a message and an address')
  const all = await accountsOn(house, open, asked.chain)
  const named = (text: string): Account | undefined => all.find(({ address }) => isAccount(text, address))
  // Some libraries send the two the other way round.
  const [first, second] = given.output
  const turned = named(first)
  const account = turned ?? named(second)
  if (!account) throw new Refusal('This account is not in the wallet')
  const message = turned ? second : first
  const bytes = (/^0x/i.test(message) ? fromHex(message) : undefined) ?? toUtf8(message)
  return askToSign(house, open, { ...asked, account, bytes })
}

/** Shows a message as what it is, and signs it with `account` after a yes. */
export async function askToSign(
  house: House,
  open: OpenWallet,
  asked: Pick<RpcAsked, 'id' | 'origin' | 'chain'> & { readonly account: Account; readonly bytes: Uint8Array },
): Promise<string> {
  const { account, bytes } = asked
  const ownsContract = account.type === 'eoa' && (await house.config()).bundlers.length > 0
  const reading = readMessage(bytes, { origin: asked.origin, address: account.address, ownsContract })
  return house.approvals.ask({
    id: asked.id,
    subject: { kind: 'message', setting: settingOf(asked, open, account), reading },
    perform: async () => {
      if (reading.kind === 'refused') throw new Refusal('This must not be signed')
      const signed = { message: { raw: toHex(bytes) } }
      if (account.type === 'eoa') return eip155Signer(open.vault).signMessage(signed)
      const { signWithSafe } = await import('../smart/sign.ts')
      return signWithSafe(house, open, { chain: asked.chain, hash: hashMessage(signed.message) })
    },
  })
}

function isAccount(text: string, account: string): boolean {
  return text.toLowerCase() === account.toLowerCase()
}
