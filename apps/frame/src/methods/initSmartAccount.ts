import { accountsOn } from '../accounts.ts'
import type { Method } from '../house.ts'
import { Refusal } from '../refusal.ts'

/** Finds the contract account on the active network, and whether it stands there already. Its first use puts it there. */
export const initSmartAccount: Method<'INIT_SMART_ACCOUNT'> = async (house, _says, { origin }) => {
  const chain = house.settings.chain('eip155')
  const me = await house.session.me()
  if (!me) throw new Refusal('Not signed in')
  const open = await (await house.wallet()).open(me)
  const all = await accountsOn(house, open, chain)
  const found = all.find(({ type }) => type === 'smartAccount')
  if (!found) throw new Refusal('There are no smart accounts on this network')
  const [{ codeOf, entryPoint07 }, { bundlerOf }] = await Promise.all([
    import('../smart/acting.ts'),
    import('../smart/send.ts'),
  ])
  // An address of our own making.
  const address = found.address as `0x${string}`
  const [served, code] = await Promise.all([
    bundlerOf({ chain, origin }).ask('eth_supportedEntryPoints', []),
    codeOf(house.rpc, chain, address),
  ])
  const known = Array.isArray(served) && served.some((one) => String(one).toLowerCase() === entryPoint07.toLowerCase())
  if (!known) throw new Refusal('The bundler of this network does not serve this account')
  return { address, isDeployed: code !== '0x' }
}
