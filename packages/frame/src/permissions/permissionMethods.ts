import { read } from '@latchkey/protocol/parseWithSchema'
import * as v from 'valibot'
import { toHex } from 'viem'
import { approvalContextOf } from '../approvals/approvalContext.ts'
import { fetchTokenMetadata } from '../decoders/tokenMetadata.ts'
import type { FrameContext } from '../frameContext.ts'
import { PublicError } from '../publicError.ts'
import type { WalletRpcRequest } from '../rpcRequests/walletRpcRequest.ts'
import type { OpenedWallet } from '../wallet/embeddedWallet.ts'
import { resolveAccount } from '../wallet/walletAccounts.ts'
import { emptyUsage, type Grant, grantState } from './grant.ts'
import { parseGrantRequest, permissionTypes, policyTypes, requestedAddress } from './grantRequest.ts'
import { inspectTargets } from './inspectTargets.ts'
import { toPermissionResponse } from './permissionResponse.ts'

/** The maximum number of active grants per user. The limit keeps the list of grants manageable. */
const maxActiveGrants = 20

/** Handles `wallet_grantPermissions` (ERC-7715). Grants the requested permissions after the user approves every limit. */
export async function grantPermissions(
  context: FrameContext,
  wallet: OpenedWallet,
  request: WalletRpcRequest,
): Promise<unknown> {
  await requirePermissionsEnabled(context)
  const grants = await context.grants()
  // The caller has already checked the namespace.
  const chain = request.chain as `eip155:${string}`
  const used = await resolveAccount(context, wallet, { chain, address: requestedAddress(request.params) })
  const now = await grants.now()
  const active = (await grants.of(wallet.userId)).filter((grant) => grantState(grant, now) === 'active')
  if (active.length >= maxActiveGrants) throw new PublicError('There are too many permissions: revoke one first')
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
      // Stores the limits that were parsed and shown to the user, not any later input from the page.
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
      if (createdAt >= limits.expiry) throw new PublicError('The permission would already be expired')
      await grants.add(grant)
      return toPermissionResponse(grant, createdAt)
    },
  })
}

const revokeParamsSchema = v.looseTuple([
  v.pipe(
    v.looseObject({
      context: v.optional(v.string()),
      // Newer drafts and older clients use these names.
      permissionContext: v.optional(v.string()),
      pci: v.optional(v.string()),
    }),
    v.transform((response) => response.context ?? response.permissionContext ?? response.pci),
    v.string(),
    v.regex(/^0x[0-9a-f]{64}$/i),
  ),
])

/**
 * Handles `wallet_revokePermissions`. With a context, revokes that permission. Without parameters, shows the user all pages'
 * permissions so that they can revoke them. The EIP-2255 method with the same name is unrelated and revokes account access.
 */
export async function revokePermissions(
  frame: FrameContext,
  wallet: OpenedWallet,
  request: WalletRpcRequest,
): Promise<unknown> {
  await requirePermissionsEnabled(frame)
  const grants = await frame.grants()
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
    await frame.approvals.ask({
      id: request.id,
      subject: { kind: 'grants', setting, grants: all, now, revoke: (context) => revoke(context, undefined) },
      perform: async () => undefined,
    })
    return null
  }
  const context = read(revokeParamsSchema, request.params)?.[0].toLowerCase()
  if (context === undefined) throw new PublicError('wallet_revokePermissions: Expected the context of a permission')
  // A permission that belongs to a different page is reported as unknown.
  const grant = (await grants.of(wallet.userId)).find(
    (item) => item.context === context && item.origin === request.origin,
  )
  if (!grant) throw new PublicError('Unknown permission')
  if (grantState(grant, await grants.now()) !== 'active') return null
  await frame.approvals.ask({
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

/** Handles `wallet_getGrantedExecutionPermissions`. Returns this page's permissions and their usage. */
export async function getGrantedPermissions(context: FrameContext, request: WalletRpcRequest): Promise<unknown> {
  if (!(await context.config()).smartSessions) return []
  const me = await context.session.me()
  if (!me) return []
  const grants = await context.grants()
  const now = await grants.now()
  return (await grants.of(me.user.id))
    .filter(({ origin }) => origin === request.origin)
    .map((grant) => toPermissionResponse(grant, now))
}

/** Handles `wallet_getSupportedExecutionPermissions`. Returns the supported permission types. */
export async function getSupportedPermissions(context: FrameContext): Promise<unknown> {
  const { smartSessions, networks } = await context.config()
  if (!smartSessions) return {}
  const chainIds = networks.flatMap((chain) => (chain.startsWith('eip155:') ? [toHex(BigInt(chain.slice(7)))] : []))
  return Object.fromEntries(permissionTypes.map((type) => [type, { chainIds, ruleTypes: ['expiry', ...policyTypes] }]))
}

/** Returns the permissions entry for `wallet_getCapabilities`, which is empty if permissions are disabled. */
export async function permissionCapability(context: FrameContext): Promise<object> {
  if (!(await context.config()).smartSessions) return {}
  return { permissions: { supported: true, signerTypes: ['wallet'], permissionTypes, policyTypes } }
}

async function requirePermissionsEnabled(context: FrameContext): Promise<void> {
  if (!(await context.config()).smartSessions) throw new PublicError('Permissions are disabled in this wallet')
}
