import type { Method } from '../frameContext.ts'
import { PublicError } from '../publicError.ts'
import { getWalletAccounts } from '../wallet/walletAccounts.ts'

/** Returns the smart account on the active network and whether it is deployed. Its first user operation deploys it. */
export const initSmartAccount: Method<'INIT_SMART_ACCOUNT'> = async (context, _says, { origin }) => {
  const chain = context.settings.chain('eip155')
  const me = await context.session.me()
  if (!me) throw new PublicError('Not signed in')
  const open = await (await context.wallet()).open(me)
  const all = await getWalletAccounts(context, open, chain)
  const found = all.find(({ type }) => type === 'smartAccount')
  if (!found) throw new PublicError('Smart accounts are not available on this network')
  const [{ getCode, entryPoint07 }, { createPageBundler }] = await Promise.all([
    import('../smartAccount/smartAccount.ts'),
    import('../smartAccount/userOperationSender.ts'),
  ])
  // The address was derived by the frame itself, so the cast is safe.
  const address = found.address as `0x${string}`
  const [served, code] = await Promise.all([
    createPageBundler({ chain, origin }).ask('eth_supportedEntryPoints', []),
    getCode(context.rpc, chain, address),
  ])
  const known =
    Array.isArray(served) && served.some((item) => String(item).toLowerCase() === entryPoint07.toLowerCase())
  if (!known) throw new PublicError('The bundler of this network does not serve this account')
  return { address, isDeployed: code !== '0x' }
}
