import type { ChainId } from '@latchkey/protocol/caip'
import { isLatchkeyError, LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { read } from '@latchkey/protocol/parseWithSchema'
import * as v from 'valibot'
import type { Eip1193Provider } from '../adapter.ts'
import type { Latchkey } from '../latchkeyTypes.ts'

/** An allowance that resets after each period. */
export interface AllowanceParameters {
  /** The amount per period, in base units of the currency or token. */
  readonly allowance: bigint
  /** The start of the first period, in Unix seconds. Defaults to now. */
  readonly start?: number
  /** The length of a period in seconds, at least 1. */
  readonly period: number
}

/** A condition on a call argument. */
export interface ArgumentParameters {
  /** How the argument must compare with `value`. */
  readonly operator: 'EQUAL' | 'GREATER_THAN' | 'LESS_THAN'
  /** The value that the argument is compared with. */
  readonly value: string | number | boolean
}

/** An operation that a page asks to perform without a prompt (ERC-7715). */
export type PermissionParameters =
  /** Network fees count against this allowance, so every request must include it. */
  | { readonly type: 'native-token-recurring-allowance'; readonly data: AllowanceParameters }
  | { readonly type: 'erc20-recurring-allowance'; readonly data: AllowanceParameters & { readonly token: string } }
  | {
      readonly type: 'contract-call'
      readonly data: {
        readonly address: string
        readonly abi: readonly unknown[]
        readonly functions: readonly {
          readonly functionName: string
          readonly args?: readonly (ArgumentParameters | null)[]
          readonly valueLimit?: bigint
        }[]
      }
    }

/** A rule that applies to all requested permissions. */
export type PolicyParameters =
  | { readonly type: 'recipients'; readonly data: { readonly addresses: readonly string[] } }
  | { readonly type: 'call-limit'; readonly data: { readonly count: number } }

/** The requested permissions. The wallet displays every limit and refuses permissions without limits. */
export interface SmartSessionParameters {
  /** The chain to request permissions on. Defaults to the connected wallet's chain. */
  readonly chain?: ChainId<'eip155'>
  /** The account to request permissions for. Defaults to the active account. */
  readonly address?: string
  /** When the session expires, in Unix seconds. Wallets enforce an upper limit. */
  readonly expiry: number
  /** The requested operations, at least one. Include a `native-token-recurring-allowance` for the network fees. */
  readonly permissions: readonly [PermissionParameters, ...PermissionParameters[]]
  /** Rules that apply to all permissions. Defaults to none. */
  readonly policies?: readonly PolicyParameters[]
}

/** A granted session, as reported by the wallet. */
export interface SmartSession {
  /** The identifier that later calls use for the session. It is not a secret. */
  readonly context: string
  /** The chain on which the session is valid (CAIP-2). */
  readonly chain: ChainId<'eip155'>
  /** The address of the account that granted the session. */
  readonly address: string
  /** Whether the session is usable, has expired or was revoked. */
  readonly state: 'active' | 'expired' | 'revoked'
  /** When the session was created, in Unix seconds. */
  readonly createdAt: number
  /** When the session expires, in Unix seconds. */
  readonly expiry: number
  /** When the session was revoked, in Unix seconds. `undefined` if it was not revoked. */
  readonly revokedAt?: number | undefined
  /** The number of calls made in the session so far. */
  readonly calls: number
  /** The granted operations, with the amounts used so far. */
  readonly permissions: readonly GrantedPermission[]
  /** The addresses allowed by the `recipients` policy, or `undefined` if there is no such policy. */
  readonly recipients?: readonly string[] | undefined
  /** The maximum number of calls allowed by the `call-limit` policy, or `undefined` if there is no such policy. */
  readonly maxCalls?: number | undefined
}

/** An operation that a page can perform without a prompt, and the amount used in the current period. */
export type GrantedPermission =
  | { readonly kind: 'coin'; readonly allowance: bigint; readonly period: number; readonly used: bigint }
  | {
      readonly kind: 'token'
      readonly token: string
      readonly symbol?: string | undefined
      readonly decimals?: number | undefined
      readonly allowance: bigint
      readonly period: number
      readonly used: bigint
    }
  | { readonly kind: 'contract'; readonly address: string; readonly functions: readonly string[] }

/**
 * Sessions in which a page can send transactions without prompts, within limits that the user approved and the wallet enforces.
 */
export interface SmartSessions {
  /**
   * Requests a session from the user. Pass its `context` to `wallet_sendCalls` as `capabilities: { permissions: { context } }`.
   */
  grant(params: SmartSessionParameters): Promise<SmartSession>
  /** Resolves to this page's sessions, newest first. Includes sessions that ended recently. */
  list(): Promise<readonly SmartSession[]>
  /** Revokes a session. The wallet asks the user to confirm. */
  revoke(context: string): Promise<void>
}

/**
 * Returns the smart sessions of the connected wallet (ERC-7715). Requires `features.smartSessions`.
 *
 * @example
 * const { context } = await smartSessions(latchkey).grant({
 *   expiry: now + 86_400,
 *   permissions: [{ type: 'native-token-recurring-allowance', data: { allowance: 10n ** 16n, period: 86_400 } }],
 * })
 */
export function smartSessions(latchkey: Latchkey): SmartSessions {
  const session = () => {
    if (!latchkey.options.features?.smartSessions)
      throw new LatchkeyError('input/invalid', { path: 'features.smartSessions', message: 'must be on' })
    const found = latchkey.session('eip155')
    if (!found) {
      const { connectorId = '' } = latchkey.account('eip155')
      const cause = new Error('No wallet is connected on eip155. Connect first.')
      throw new LatchkeyError('wallet/not-authorized', { connectorId }, { cause })
    }
    // Every session on eip155 has an EIP-1193 provider.
    return { provider: found.provider as Eip1193Provider, chain: found.chain as ChainId<'eip155'> }
  }
  const ask = async (method: string, params: unknown): Promise<unknown> => {
    const { provider } = session()
    try {
      return await provider.request({ method, params })
    } catch (error) {
      throw failureOf(method, error)
    }
  }
  const malformed = (method: string): LatchkeyError<'wallet/failed'> =>
    new LatchkeyError('wallet/failed', { message: `${method}: invalid response` })

  return {
    async grant({ chain, ...request }) {
      const chainId = hexChain(chain ?? session().chain)
      // Load this module on demand, because most pages only list their sessions.
      const { requestOf } = await import('./permissionRequest.ts')
      const wanted = requestOf({ chainId, ...request }, latchkey.options.clock?.now() ?? Date.now())
      const granted = read(sessionSchema, await ask('wallet_grantPermissions', [wanted]))
      if (!granted) throw malformed('wallet_grantPermissions')
      return granted
    },
    async list() {
      const granted = read(v.array(sessionSchema), await ask('wallet_getGrantedExecutionPermissions', []))
      if (!granted) throw malformed('wallet_getGrantedExecutionPermissions')
      return granted
    },
    async revoke(context) {
      await ask('wallet_revokePermissions', [{ context }])
    },
  }
}

/** Converts a wallet's error, based on its EIP-1193 code if there is one. */
function failureOf(method: string, error: unknown): LatchkeyError {
  if (error instanceof Error && isLatchkeyError(error.cause)) return error.cause
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  if (code === 4001) return new LatchkeyError('user/rejected', { request: method }, { cause: error })
  if (code === 4200 || code === -32_601) return new LatchkeyError('wallet/unsupported', { method }, { cause: error })
  return toLatchkeyError(error)
}

// --- Requests ----------------------------------------------------------------------------------------------------------

function hexChain(chain: ChainId<'eip155'>): string {
  return `0x${BigInt(chain.slice('eip155:'.length)).toString(16)}`
}

// --- Responses -----------------------------------------------------------------------------------------------------

const address = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{40}$/i))
const hex = v.pipe(v.string(), v.regex(/^0x[0-9a-f]+$/i))
const seconds = v.pipe(v.number(), v.safeInteger())
const amount = v.pipe(
  hex,
  v.transform((text) => BigInt(text)),
)
const counted = { allowance: amount, period: seconds }
const policySchema = v.variant('type', [
  v.pipe(
    v.object({ type: v.literal('native-token-recurring-allowance'), data: v.object(counted), used: amount }),
    v.transform(({ data, used }) => ({ kind: 'coin' as const, allowance: data.allowance, period: data.period, used })),
  ),
  v.pipe(
    v.object({
      type: v.literal('erc20-recurring-allowance'),
      data: v.object({ token: address, ...counted }),
      symbol: v.optional(v.pipe(v.string(), v.maxLength(40))),
      decimals: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(255))),
      used: amount,
    }),
    v.transform(({ data, used, symbol, decimals }) => ({
      kind: 'token' as const,
      token: data.token,
      symbol,
      decimals,
      allowance: data.allowance,
      period: data.period,
      used,
    })),
  ),
  v.pipe(
    v.object({
      type: v.literal('contract-call'),
      data: v.object({ address, functions: v.array(v.object({ signature: v.pipe(v.string(), v.maxLength(2000)) })) }),
    }),
    v.transform(({ data }) => ({
      kind: 'contract' as const,
      address: data.address,
      functions: data.functions.map(({ signature }) => signature),
    })),
  ),
])
const sessionSchema: v.GenericSchema<unknown, SmartSession> = v.pipe(
  v.object({
    context: v.pipe(hex, v.maxLength(2000)),
    chainId: hex,
    address,
    expiry: seconds,
    permissions: v.array(policySchema),
    policies: v.array(v.looseObject({ type: v.string(), data: v.looseObject({}) })),
    state: v.picklist(['active', 'expired', 'revoked']),
    calls: v.number(),
    createdAt: seconds,
    revokedAt: v.optional(seconds),
  }),
  v.transform(({ chainId, policies, ...session }): SmartSession => {
    const data = (type: string) => policies.find((policy) => policy.type === type)?.data
    const recipients = read(v.array(address), data('recipients')?.addresses)
    const maxCalls = read(v.number(), data('call-limit')?.count)
    return {
      ...session,
      chain: `eip155:${BigInt(chainId)}`,
      ...(recipients && { recipients }),
      ...(maxCalls !== undefined && { maxCalls }),
    }
  }),
)
