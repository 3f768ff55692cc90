import { expect, test } from 'vitest'
import { createApprovalQueue } from '../approvals/approvalQueue.ts'
import type { ApprovalView } from '../approvals/approvalViewModel.ts'
import type { FrameContext } from '../frameContext.ts'
import { createSingleflight } from '../singleflight.ts'
import { createEmbeddedWallet } from '../wallet/embeddedWallet.ts'
import type { WalletDependencies } from '../wallet/walletDependencies.ts'
import { connectPasskey } from './connectPasskey.ts'

test('does not show a passkey login if the page aborts the login while it is being prepared', async () => {
  const approvals = createApprovalQueue<ApprovalView>()
  const shown = new Promise<never>((_, reject) => approvals.subscribe(() => reject(new Error('shown'))))
  const shared = createSingleflight()
  const wallet = createEmbeddedWallet({
    approvals,
    shared,
    window: { document: {} },
    embedder: () => 'https://shop.example',
    // The page aborts the login while the server's configuration is fetched.
    passkeys: async () => {
      approvals.abort('1')
      return true
    },
  } as unknown as WalletDependencies)
  const context = { approvals, shared, wallet: async () => wallet } as unknown as FrameContext
  const caller = { id: '1', origin: 'https://shop.example', byPort: true, signal: new AbortController().signal }
  const login = connectPasskey(context, undefined, caller)
  await expect(Promise.race([login, shown])).rejects.toThrow('Request was aborted')
})
