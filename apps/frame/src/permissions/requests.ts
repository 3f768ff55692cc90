import { read } from '@latchkey/protocol/schemas'
import * as v from 'valibot'
import { toHex } from 'viem'
import { accountNamed } from '../accounts.ts'
import type { House } from '../house.ts'
import { Refusal } from '../refusal.ts'
import type { RpcAsked } from '../requests/asked.ts'
import { settingOf } from '../requests/setting.ts'
import { tokenFacts } from '../requests/tokenFacts.ts'
import type { OpenWallet } from '../wallet.ts'
import { addressIn, permissionTypes, policyTypes, readGrantRequest } from './ask.ts'
import { type Grant, stateOf, unspent } from './grant.ts'
import { inspectTargets } from './targets.ts'
import { toldOf } from './told.ts'

/** One person has so many grants at once at the most: more, nobody oversees. */
const activeMost = 20

/** `wallet_grantPermissions` (ERC-7715): after a yes to every limit, the page may do what it asked for, and nothing else. */
export async function grantPermissions(house: House, open: OpenWallet, asked: RpcAsked): Promise<unknown> {
  await switchedOn(house)
  const grants = await house.grants()
  // The caller has seen to the family.
  const chain = asked.chain as `eip155:${string}`
  const used = await accountNamed(house, open, { chain, address: addressIn(asked.params) })
  const now = await grants.now()
  const active = (await grants.of(open.userId)).filter((grant) => stateOf(grant, now) === 'active')
  if (active.length >= activeMost) throw new Refusal('There are too many permissions: take one back first')
  const limits = readGrantRequest(asked.params, { chain, account: used.address, now })
  const codes = await inspectTargets(house.rpc, limits)
  const tokens = await tokenFacts(
    house.rpc,
    chain,
    limits.permissions.flatMap((one) => (one.kind === 'token' ? [one.token] : [])),
  )
  return house.approvals.ask({
    id: asked.id,
    subject: { kind: 'grant', setting: settingOf(asked, open, used), limits, tokens },
    async perform() {
      // Read and shown long ago by now: what is written down is that, whatever the page has done since.
      const [createdAt, me] = await Promise.all([grants.now(), house.session.me()])
      if (me?.user.id !== open.userId) throw new Refusal('Another account is signed in')
      const grant: Grant = {
        ...limits,
        tokens,
        codes,
        context: toHex(crypto.getRandomValues(new Uint8Array(32))),
        userId: open.userId,
        origin: asked.origin,
        createdAt,
        signedInAt: me.since,
        revokedAt: undefined,
        spent: unspent(limits),
      }
      if (createdAt >= limits.expiry) throw new Refusal('The permission would be over already')
      await grants.add(grant)
      return toldOf(grant, createdAt)
    },
  })
}

const which = v.looseTuple([
  v.pipe(
    v.looseObject({
      context: v.optional(v.string()),
      // As newer drafts and older clients have it.
      permissionContext: v.optional(v.string()),
      pci: v.optional(v.string()),
    }),
    v.transform((said) => said.context ?? said.permissionContext ?? said.pci),
    v.string(),
    v.regex(/^0x[0-9a-f]{64}$/i),
  ),
])

/**
 * `wallet_revokePermissions`: with a context, takes that permission back; without parameters, the visitor sees all pages' permissions and
 * takes back what they like. EIP-2255 has a method of the same name that takes the page's accounts away: that is another thing.
 */
export async function revokePermissions(house: House, open: OpenWallet, asked: RpcAsked): Promise<unknown> {
  await switchedOn(house)
  const grants = await house.grants()
  const setting = settingOf(asked, open)
  const revoke = (context: string, origin: string | undefined): Promise<boolean> =>
    grants.change(context, (grant, now) => {
      const mine = grant?.userId === open.userId && (origin === undefined || grant.origin === origin)
      if (!mine || !grant) return { result: false }
      return { result: true, ...(grant.revokedAt === undefined && { grant: { ...grant, revokedAt: now } }) }
    })

  if (asked.params === undefined || (Array.isArray(asked.params) && asked.params.length === 0)) {
    const now = await grants.now()
    const all = (await grants.of(open.userId)).filter((grant) => stateOf(grant, now) === 'active')
    await house.approvals.ask({
      id: asked.id,
      subject: { kind: 'grants', setting, grants: all, now, revoke: (context) => revoke(context, undefined) },
      perform: async () => undefined,
    })
    return null
  }
  const context = read(which, asked.params)?.[0].toLowerCase()
  if (context === undefined) throw new Refusal('wallet_revokePermissions: Expected the context of a permission')
  // One that another page was given is none that this page knows of.
  const grant = (await grants.of(open.userId)).find((one) => one.context === context && one.origin === asked.origin)
  if (!grant) throw new Refusal('Unknown permission')
  if (stateOf(grant, await grants.now()) !== 'active') return null
  await house.approvals.ask({
    id: asked.id,
    subject: {
      kind: 'revoke',
      setting: { ...setting, account: grant.account },
      grant,
    },
    perform: () => revoke(context, asked.origin),
  })
  return null
}

/** `wallet_getGrantedExecutionPermissions`: what this page was given, and how much of it is used up. */
export async function grantedPermissions(house: House, asked: RpcAsked): Promise<unknown> {
  if (!(await house.config()).smartSessions) return []
  const me = await house.session.me()
  if (!me) return []
  const grants = await house.grants()
  const now = await grants.now()
  return (await grants.of(me.user.id))
    .filter(({ origin }) => origin === asked.origin)
    .map((grant) => toldOf(grant, now))
}

/** `wallet_getSupportedExecutionPermissions`: what can be asked for at all. */
export async function supportedPermissions(house: House): Promise<unknown> {
  const { smartSessions, networks } = await house.config()
  if (!smartSessions) return {}
  const chainIds = networks.flatMap((chain) => (chain.startsWith('eip155:') ? [toHex(BigInt(chain.slice(7)))] : []))
  return Object.fromEntries(permissionTypes.map((type) => [type, { chainIds, ruleTypes: ['expiry', ...policyTypes] }]))
}

/** What `wallet_getCapabilities` says of permissions; nothing where they are off. */
export async function permissionCapability(house: House): Promise<object> {
  if (!(await house.config()).smartSessions) return {}
  return { permissions: { supported: true, signerTypes: ['wallet'], permissionTypes, policyTypes } }
}

async function switchedOn(house: House): Promise<void> {
  if (!(await house.config()).smartSessions) throw new Refusal('This wallet gives no permissions in advance')
}
