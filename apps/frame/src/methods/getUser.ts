import { chainFromWire, chainToWire } from '@latchkey/protocol/frame/messages'
import { type Account, accountsOn } from '../accounts.ts'
import type { House, Method } from '../house.ts'
import { Refusal } from '../refusal.ts'
import { isServed, namespaceOf } from '../settings.ts'

/**
 * Who is signed in, with the account on the network that was asked for. Opens the vault, or makes it; never another address. A page of
 * ours may have a sign-in signed with it; another one does not show us for this, and asks for it as for every signature.
 */
export const getUser: Method<'GET_USER'> = async (house, says, { id, origin, byPort }) => {
  const chain = chainAsked(house, says?.chainId)
  const me = await house.session.me()
  if (!me) throw new Refusal('Not signed in')
  const opened = await (await house.wallet()).open(me)
  const { addresses } = opened
  house.settings.use(chain)
  const type = says?.preferredAccountType
  if (type === 'eoa' || type === 'smartAccount') house.settings.prefer(namespaceOf(chain), type)
  const accounts = await accountsOn(house, { addresses }, chain)
  const [used] = accounts
  const siwx = byPort && !house.away ? says?.siwxMessage : undefined
  const signed =
    siwx &&
    (await import('../requests/signInOnLogin.ts')
      .then(({ signInOnLogin }) => signInOnLogin(house, opened, { id, origin, chain, account: used, siwx }))
      .catch(() => undefined))
  return {
    address: used.address,
    chainId: chainToWire(chain),
    email: me.user.email,
    accounts: [...accounts],
    // The one that is really used, which may not be the one that was wanted.
    preferredAccountType: used.type,
    protection: opened.single ? 'single' : 'protected',
    smartAccountDeployed: await isDeployed(house, chain, accounts),
    ...signed,
  }
}

async function isDeployed({ rpc }: House, chain: ReturnType<typeof chainAsked>, accounts: readonly Account[]) {
  const contract = accounts.find(({ type }) => type === 'smartAccount')
  if (!contract) return false
  // A node that does not answer now keeps nobody from their account.
  const code = await rpc<unknown>(chain, 'eth_getCode', [contract.address, 'latest']).catch(() => undefined)
  return typeof code === 'string' && code.length > 2
}

function chainAsked({ settings }: House, said: string | number | undefined) {
  const chain = said === undefined ? settings.lastChain() : chainFromWire(said)
  if (!chain || !isServed(chain)) throw new Refusal('This network is not supported')
  return chain
}
