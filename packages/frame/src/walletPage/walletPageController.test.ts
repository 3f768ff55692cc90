import { getKeysOriginConfig, getMe, postSignOut, postSignOutEverywhere } from '@latchkey/protocol/http/keys'
import { expect, test } from 'vitest'
import type { KeysApiClient } from '../keysApiClient.ts'
import { createWalletPageController } from './walletPageController.ts'

test.each(['signOut', 'signOutEverywhere'] as const)(
  '%s on the wallet page revokes the permissions granted to pages',
  async (how) => {
    const done: string[] = []
    const keysClient = (async (call: { readonly path: string }) => {
      if (call.path === getKeysOriginConfig.path) return { smartSessions: true }
      if (call.path === getMe.path) return { user: { id: 'ada' } }
      done.push(call.path)
      return {}
    }) as KeysApiClient
    const grants = async () => ({ revokeAll: async (user: string) => void done.push(`no permissions of ${user}`) })
    const window = { navigator: { userAgent: '' }, crypto } as unknown as Window & typeof globalThis
    await createWalletPageController({ window, keysClient, grants })[how]()
    expect(done[0]).toBe('no permissions of ada')
    expect(done).toContain((how === 'signOut' ? postSignOut : postSignOutEverywhere).path)
  },
)
