import { fromHex, toHex, toUtf8 } from '@latchkey/protocol/bytes'
import * as v from 'valibot'
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
  const account = open.addresses.eip155
  // Some libraries send the two the other way round.
  const [message] = isAccount(given.output[0], account) ? [given.output[1]] : [given.output[0]]
  const signer = isAccount(given.output[0], account) ? given.output[0] : given.output[1]
  if (!isAccount(signer, account)) throw new Refusal('This account is not in the wallet')
  const bytes = (/^0x/i.test(message) ? fromHex(message) : undefined) ?? toUtf8(message)
  const reading = readMessage(bytes, { origin: asked.origin, address: account })
  return house.approvals.ask({
    id: asked.id,
    subject: { kind: 'message', setting: settingOf(asked, open), reading },
    perform: async () => {
      if (reading.kind === 'refused') throw new Refusal('This sign-in is not for this page')
      return eip155Signer(open.vault).signMessage({ message: { raw: toHex(bytes) } })
    },
  })
}

function isAccount(text: string, account: string): boolean {
  return text.toLowerCase() === account.toLowerCase()
}
