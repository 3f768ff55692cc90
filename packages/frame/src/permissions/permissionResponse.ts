import { toHex } from 'viem'
import { amountUsedAt, type Grant, grantState, type Permission } from './grant.ts'

/**
 * Returns the ERC-7715 `PermissionResponse` for a grant, including its current usage. It contains no secrets or data from other
 * pages.
 */
export function toPermissionResponse(grant: Grant, now: number): object {
  const { context, chain, account, expiry, permissions, recipients, callsMost, createdAt, revokedAt, spent, tokens } =
    grant
  return {
    context,
    chainId: toHex(BigInt(chain.slice('eip155:'.length))),
    address: account,
    expiry,
    signer: { type: 'wallet' },
    permissions: permissions.map((permission, at) => ({
      ...permissionTypeOf(permission),
      ...(permission.kind === 'token' && tokens[permission.token]),
      ...(permission.kind !== 'contract' && {
        used: toHex(amountUsedAt(permission, spent.used[at], now)),
      }),
    })),
    policies: [
      ...(recipients ? [{ type: 'recipients', data: { addresses: recipients } }] : []),
      ...(callsMost === undefined ? [] : [{ type: 'call-limit', data: { count: callsMost } }]),
    ],
    calls: spent.calls,
    createdAt,
    ...(revokedAt !== undefined && { revokedAt }),
    state: grantState(grant, now),
  }
}

function permissionTypeOf(permission: Permission): { readonly type: string; readonly data: object } {
  if (permission.kind === 'contract') {
    const functions = permission.functions.map(({ name, inputs, rules, valueMost }) => ({
      functionName: name,
      signature: `${name}(${inputs.map(({ type }) => type).join(',')})`,
      args: rules.map((rule) => rule ?? null),
      valueLimit: toHex(valueMost),
    }))
    return { type: 'contract-call', data: { address: permission.address, functions } }
  }
  const { most, start, period } = permission
  const limit = { allowance: toHex(most), start, period }
  return permission.kind === 'token'
    ? { type: 'erc20-recurring-allowance', data: { token: permission.token, ...limit } }
    : { type: 'native-token-recurring-allowance', data: limit }
}
