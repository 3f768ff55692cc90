import { chainFromWire, chainToWire } from '@latchkey/protocol/frame/messages'
import type { FrameContext, Method } from '../frameContext.ts'
import { isSupportedChain, namespaceOf } from '../pageSettings.ts'
import { PublicError } from '../publicError.ts'
import { getWalletAccounts, type WalletAccount } from '../wallet/walletAccounts.ts'

/**
 * Returns the signed-in user and their account on the requested network. Opens the vault, or creates it if it does not exist. A
 * page that displays the frame can also request a sign-in message, which is signed during the login. Other pages must request a
 * signature separately.
 */
export const getUser: Method<'GET_USER'> = (context, params, caller) =>
  // The request is tracked from the start, so that no message is displayed if the page aborts it or signs the user out during
  // preparation.
  context.approvals.track(caller.id, async (approvals) => getTrackedUser({ ...context, approvals }, params, caller))

const getTrackedUser: Method<'GET_USER'> = async (context, params, { id, origin, byPort }) => {
  const chain = requestedChain(context, params?.chainId)
  const me = await context.session.me()
  if (!me) throw new PublicError('Not signed in')
  const opened = await (await context.wallet()).open(me)
  const { addresses } = opened
  context.settings.setChain(chain)
  const type = params?.preferredAccountType
  if (type === 'eoa' || type === 'smartAccount') context.settings.setAccountType(namespaceOf(chain), type)
  const accounts = await getWalletAccounts(context, { addresses }, chain)
  const [used] = accounts
  const siwx = byPort && !context.crossSite ? params?.siwxMessage : undefined
  const signed =
    siwx &&
    (await import('../rpcRequests/signInOnLogin.ts')
      .then(({ signInOnLogin }) => signInOnLogin(context, opened, { id, origin, chain, account: used, siwx, me }))
      .catch(() => undefined))
  return {
    address: used.address,
    chainId: chainToWire(chain),
    email: me.user.email,
    accounts: [...accounts],
    // The account type in use, which can differ from the preferred type.
    preferredAccountType: used.type,
    protection: opened.single ? 'single' : 'protected',
    smartAccountDeployed: await isDeployed(context, chain, accounts),
    ...signed,
  }
}

async function isDeployed(
  { rpc }: FrameContext,
  chain: ReturnType<typeof requestedChain>,
  accounts: readonly WalletAccount[],
) {
  const contract = accounts.find(({ type }) => type === 'smartAccount')
  if (!contract) return false
  // If the node cannot be reached, the account counts as not deployed, so that the user can still sign in.
  const code = await rpc<unknown>(chain, 'eth_getCode', [contract.address, 'latest']).catch(() => undefined)
  return typeof code === 'string' && code.length > 2
}

function requestedChain({ settings }: FrameContext, response: string | number | undefined) {
  const chain = response === undefined ? settings.lastChain() : chainFromWire(response)
  if (!chain || !isSupportedChain(chain)) throw new PublicError('This network is not supported')
  return chain
}
