import type { ChainId } from '@latchkey/protocol/caip'
import * as v from 'valibot'
import { type Account, accountNamed, hasBundler } from '../accounts.ts'
import type { House } from '../house.ts'
import { permissionCapability } from '../permissions/requests.ts'
import { namespaceOf } from '../settings.ts'
import type { RpcAsked } from './asked.ts'

const quantity = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{1,13}$/i))
const paramsSchema = v.looseTuple([v.optional(v.nullish(v.string())), v.optional(v.nullish(v.array(quantity)))])

/** `wallet_getCapabilities` (EIP-5792): what an account can do on each network, or on those that are asked about. */
export async function capabilities(
  house: House,
  { chain, params }: RpcAsked,
): Promise<Readonly<Record<string, object>>> {
  if (namespaceOf(chain) !== 'eip155') return {}
  const given = v.safeParse(paramsSchema, Array.isArray(params) ? params : [])
  const [address, wanted] = given.success ? given.output : []
  const { networks } = await house.config()
  // Served by this wallet, and the one that the page is on.
  const known = [...new Set([chain, ...networks.filter((one) => one.startsWith('eip155:'))])] as ChainId[]
  const asked = wanted?.map((one) => `eip155:${Number(one)}`)
  const answers = known
    .filter((one) => asked?.includes(one) ?? true)
    .map(async (one) => [hexChain(one), await on(house, one, address ?? undefined)] as const)
  return Object.fromEntries(await Promise.all(answers))
}

async function on(house: House, chain: ChainId, address: string | undefined): Promise<object> {
  const common = { assetDiscovery: { supported: true }, ...(await permissionCapability(house)) }
  if (!(await hasBundler(house, chain))) return { atomic: { status: 'unsupported' }, ...common }
  const open = (await house.wallet()).opened()
  const account = open && (await accountNamed(house, open, { chain, address }))
  const { paymasters } = await house.config()
  return {
    atomic: { status: account ? await atomicOf(house, chain, account) : 'unsupported' },
    ...(paymasters.length > 0 && { paymasterService: { supported: true } }),
    ...common,
  }
}

/** A key can become an account that makes calls as one, unless another program acts for it already. */
async function atomicOf(
  { rpc }: House,
  chain: ChainId,
  account: Account,
): Promise<'supported' | 'ready' | 'unsupported'> {
  if (account.type === 'smartAccount') return 'supported'
  const { keyCode } = await import('../smart/acting.ts')
  // An address of our own making.
  const code = await keyCode({ rpc, chain, key: account.address as `0x${string}` }).catch(() => 'other' as const)
  return ({ none: 'ready', ours: 'supported', other: 'unsupported' } as const)[code]
}

function hexChain(chain: string): string {
  return `0x${Number(chain.slice('eip155:'.length)).toString(16)}`
}
