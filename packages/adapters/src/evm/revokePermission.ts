import * as v from 'valibot'

const permissions = v.array(v.object({ parentCapability: v.string() }))

/** Revokes the page's permission to access the accounts (EIP-2255), if the wallet reports that permission. */
export async function revokePermission(wallet: (method: string, params?: unknown) => Promise<unknown>): Promise<void> {
  const granted = v.safeParse(permissions, await wallet('wallet_getPermissions'))
  if (!granted.success || !granted.output.some(({ parentCapability }) => parentCapability === 'eth_accounts')) return
  await wallet('wallet_revokePermissions', [{ eth_accounts: {} }])
}
