import { getMe, getVaultConfig, postSignOut, postSignOutEverywhere } from '@latchkey/protocol/http/vault'
import { expect, test } from 'vitest'
import type { VaultClient } from '../vaultClient.ts'
import { createWalletPageController } from './walletPageController.ts'

test.each(['signOut', 'signOutEverywhere'] as const)(
  '%s on the wallet page revokes the permissions granted to pages',
  async (how) => {
    const done: string[] = []
    const vault = (async (call: { readonly path: string }) => {
      if (call.path === getVaultConfig.path) return { smartSessions: true }
      if (call.path === getMe.path) return { user: { id: 'ada' } }
      done.push(call.path)
      return {}
    }) as VaultClient
    const grants = async () => ({ revokeAll: async (user: string) => void done.push(`no permissions of ${user}`) })
    const window = { navigator: { userAgent: '' }, crypto } as unknown as Window & typeof globalThis
    await createWalletPageController({ window, vault, grants })[how]()
    expect(done[0]).toBe('no permissions of ada')
    expect(done).toContain((how === 'signOut' ? postSignOut : postSignOutEverywhere).path)
  },
)
