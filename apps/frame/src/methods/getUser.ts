import { chainFromWire, chainToWire } from '@latchkey/protocol/frame/messages'
import type { House, Method } from '../house.ts'
import { Refusal } from '../refusal.ts'
import { isServed, namespaceOf } from '../settings.ts'

/** Who is signed in, with the account on the network that was asked for. Opens the vault, or makes it; never another address. */
export const getUser: Method<'GET_USER'> = async (house, says) => {
  const chain = chainAsked(house, says?.chainId)
  const me = await house.session.me()
  if (!me) throw new Refusal('Not signed in')
  const { addresses } = await (await house.wallet()).open(me)
  house.settings.use(chain)
  const address = namespaceOf(chain) === 'solana' ? addresses.solana : addresses.eip155
  return {
    address,
    chainId: chainToWire(chain),
    email: me.user.email,
    accounts: [{ address, type: 'eoa' }],
    preferredAccountType: 'eoa',
    smartAccountDeployed: false,
  }
}

function chainAsked({ settings }: House, said: string | number | undefined) {
  const chain = said === undefined ? settings.lastChain() : chainFromWire(said)
  if (!chain || !isServed(chain)) throw new Refusal('This network is not supported')
  return chain
}
