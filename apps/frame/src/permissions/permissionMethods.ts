import { read } from '@latchkey/protocol/schemas'
import * as v from 'valibot'
import { toHex } from 'viem'
import type { OpenedWallet } from '../embeddedWallet.ts'
import type { FrameContext } from '../frameContext.ts'
import { PublicError } from '../publicError.ts'
import { approvalContextOf } from '../requests/approvalContext.ts'
import { fetchTokenMetadata } from '../requests/tokenMetadata.ts'
import type { WalletRpcRequest } from '../requests/walletRpcRequest.ts'
import { resolveAccount } from '../walletAccounts.ts'
import { emptyUsage, type Grant, grantState } from './grant.ts'
import { parseGrantRequest, permissionTypes, policyTypes, requestedAddress } from './grantRequest.ts'
import { inspectTargets } from './inspectTargets.ts'
import { toPublicGrant } from './publicGrant.ts'

/** One person has so many grants at once at the most: more, nobody oversees. */
const maxActiveGrants = 20

/** `wallet_grantPermissions` (ERC-7715): after a yes to every limit, the page may do what it asked for, and nothing else. */
export async function grantPermissions(
  context: FrameContext,
  wallet: OpenedWallet,
  request: WalletRpcRequest,
): Promise<unknown> {
  await requirePermissionsEnabled(context)
  const grants = await context.grants()
  // The caller has seen to the family.
  const chain = request.chain as `eip155:${string}`
  const used = await resolveAccount(context, wallet, { chain, address: requestedAddress(request.params) })
  const now = await grants.now()
  const active = (await grants.of(wallet.userId)).filter((grant) => grantState(grant, now) === 'active')
  if (active.length >= maxActiveGrants) throw new PublicError('There are too many permissions: take one back first')
  const limits = parseGrantRequest(request.params, { chain, account: used.address, now })
  const codes = await inspectTargets(context.rpc, limits)
  const tokens = await fetchTokenMetadata(
    context.rpc,
    chain,
    limits.permissions.flatMap((item) => (item.kind === 'token' ? [item.token] : [])),
  )
  return context.approvals.ask({
    id: request.id,
    subject: { kind: 'grant', setting: approvalContextOf(request, wallet, used), limits, tokens },
    async perform() {
      // Read and shown long ago by now: what is written down is that, whatever the page has done since.
      const [createdAt, me] = await Promise.all([grants.now(), context.session.me()])
      if (me?.user.id !== wallet.userId) throw new PublicError('Another account is signed in')
      const grant: Grant = {
        ...limits,
        tokens,
        codes,
        context: toHex(crypto.getRandomValues(new Uint8Array(32))),
        userId: wallet.userId,
        origin: request.origin,
        createdAt,
        signedInAt: me.since,
        revokedAt: undefined,
        spent: emptyUsage(limits),
      }
      if (createdAt >= limits.expiry) throw new PublicError('The permission would be over already')
      await grants.add(grant)
      return toPublicGrant(grant, createdAt)
    },
  })
}

const revokeParamsSchema = v.looseTuple([
  v.pipe(
    v.looseObject({
      context: v.optional(v.string()),
      // As newer drafts and older clients have it.
      permissionContext: v.optional(v.string()),
      pci: v.optional(v.string()),
    }),
    v.transform((response) => response.context ?? response.permissionContext ?? response.pci),
    v.string(),
    v.regex(/^0x[0-9a-f]{64}$/i),
  ),
])

/**
 * `wallet_revokePermissions`: with a context, takes that permission back; without parameters, the visitor sees all pages' permissions and
 * takes back what they like. EIP-2255 has a method of the same name that takes the page's accounts away: that is another thing.
 */
export async function revokePermissions(
  house: FrameContext,
  wallet: OpenedWallet,
  request: WalletRpcRequest,
): Promise<unknown> {
  await requirePermissionsEnabled(house)
  const grants = await house.grants()
  const setting = approvalContextOf(request, wallet)
  const revoke = (context: string, origin: string | undefined): Promise<boolean> =>
    grants.change(context, (grant, now) => {
      const mine = grant?.userId === wallet.userId && (origin === undefined || grant.origin === origin)
      if (!mine || !grant) return { result: false }
      return { result: true, ...(grant.revokedAt === undefined && { grant: { ...grant, revokedAt: now } }) }
    })

  if (request.params === undefined || (Array.isArray(request.params) && request.params.length === 0)) {
    const now = await grants.now()
    const all = (await grants.of(wallet.userId)).filter((grant) => grantState(grant, now) === 'active')
    await house.approvals.ask({
      id: request.id,
      subject: { kind: 'grants', setting, grants: all, now, revoke: (context) => revoke(context, undefined) },
      perform: async () => undefined,
    })
    return null
  }
  const context = read(revokeParamsSchema, request.params)?.[0].toLowerCase()
  if (context === undefined) throw new PublicError('wallet_revokePermissions: Expected the context of a permission')
  // One that another page was given is none that this page knows of.
  const grant = (await grants.of(wallet.userId)).find(
    (item) => item.context === context && item.origin === request.origin,
  )
  if (!grant) throw new PublicError('Unknown permission')
  if (grantState(grant, await grants.now()) !== 'active') return null
  await house.approvals.ask({
    id: request.id,
    subject: {
      kind: 'revoke',
      setting: { ...setting, account: grant.account },
      grant,
    },
    perform: () => revoke(context, request.origin),
  })
  return null
}

/** `wallet_getGrantedExecutionPermissions`: what this page was given, and how much of it is used up. */
export async function getGrantedPermissions(context: FrameContext, request: WalletRpcRequest): Promise<unknown> {
  if (!(await context.config()).smartSessions) return []
  const me = await context.session.me()
  if (!me) return []
  const grants = await context.grants()
  const now = await grants.now()
  return (await grants.of(me.user.id))
    .filter(({ origin }) => origin === request.origin)
    .map((grant) => toPublicGrant(grant, now))
}

/** `wallet_getSupportedExecutionPermissions`: what can be asked for at all. */
export async function getSupportedPermissions(context: FrameContext): Promise<unknown> {
  const { smartSessions, networks } = await context.config()
  if (!smartSessions) return {}
  const chainIds = networks.flatMap((chain) => (chain.startsWith('eip155:') ? [toHex(BigInt(chain.slice(7)))] : []))
  return Object.fromEntries(permissionTypes.map((type) => [type, { chainIds, ruleTypes: ['expiry', ...policyTypes] }]))
}

/** What `wallet_getCapabilities` says of permissions; nothing where they are off. */
export async function permissionCapability(context: FrameContext): Promise<object> {
  if (!(await context.config()).smartSessions) return {}
  return { permissions: { supported: true, signerTypes: ['wallet'], permissionTypes, policyTypes } }
}

async function requirePermissionsEnabled(context: FrameContext): Promise<void> {
  if (!(await context.config()).smartSessions) throw new PublicError('This wallet gives no permissions in advance')
}
