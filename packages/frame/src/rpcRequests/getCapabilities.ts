import type { ChainId } from '@latchkey/protocol/caip'
import * as v from 'valibot'
import type { FrameContext } from '../frameContext.ts'
import { namespaceOf } from '../pageSettings.ts'
import { permissionCapability } from '../permissions/permissionMethods.ts'
import { hasBundler, resolveAccount, type WalletAccount } from '../wallet/walletAccounts.ts'
import type { WalletRpcRequest } from './walletRpcRequest.ts'

const quantity = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{1,13}$/i))
const paramsSchema = v.looseTuple([v.optional(v.nullish(v.string())), v.optional(v.nullish(v.array(quantity)))])

/**
 * Handles `wallet_getCapabilities` (EIP-5792). Returns an account's capabilities on the requested networks, or on all networks.
 */
export async function getCapabilities(
  context: FrameContext,
  { chain, params }: WalletRpcRequest,
): Promise<Readonly<Record<string, object>>> {
  if (namespaceOf(chain) !== 'eip155') return {}
  const parsed = v.safeParse(paramsSchema, Array.isArray(params) ? params : [])
  const [address, wanted] = parsed.success ? parsed.output : []
  const { networks } = await context.config()
  // This wallet's networks and the page's active network.
  const known = [...new Set([chain, ...networks.filter((item) => item.startsWith('eip155:'))])] as ChainId[]
  const request = wanted?.map((item) => `eip155:${Number(item)}`)
  const answers = known
    .filter((item) => request?.includes(item) ?? true)
    .map(async (item) => [hexChain(item), await on(context, item, address ?? undefined)] as const)
  return Object.fromEntries(await Promise.all(answers))
}

async function on(context: FrameContext, chain: ChainId, address: string | undefined): Promise<object> {
  const common = { assetDiscovery: { supported: true }, ...(await permissionCapability(context)) }
  if (!(await hasBundler(context, chain))) return { atomic: { status: 'unsupported' }, ...common }
  const open = (await context.wallet()).opened()
  const account = open && (await resolveAccount(context, open, { chain, address }))
  const { paymasters } = await context.config()
  return {
    atomic: { status: account ? await atomicOf(context, chain, account) : 'unsupported' },
    ...(paymasters.length > 0 && { paymasterService: { supported: true } }),
    ...common,
  }
}

/**
 * Returns whether the account supports atomic execution. An EOA is `ready` for it unless it is already delegated to a different
 * contract.
 */
async function atomicOf(
  { rpc }: FrameContext,
  chain: ChainId,
  account: WalletAccount,
): Promise<'supported' | 'ready' | 'unsupported'> {
  if (account.type === 'smartAccount') return 'supported'
  const { getEoaCodeStatus } = await import('../smartAccount/smartAccount.ts')
  // The address was derived by the frame itself, so the cast is safe.
  const code = await getEoaCodeStatus({ rpc, chain, key: account.address as `0x${string}` }).catch(
    () => 'other' as const,
  )
  return ({ none: 'ready', ours: 'supported', other: 'unsupported' } as const)[code]
}

function hexChain(chain: string): string {
  return `0x${Number(chain.slice('eip155:'.length)).toString(16)}`
}
