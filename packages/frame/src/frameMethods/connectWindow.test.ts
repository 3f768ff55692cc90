import { expect, test } from 'vitest'
import { createApprovalQueue } from '../approvals/approvalQueue.ts'
import type { ApprovalView } from '../approvals/approvalViewModel.ts'
import { createCrossSiteFrame } from '../crossSite/crossSiteFrame.ts'
import type { FrameContext } from '../frameContext.ts'
import { createPageSettings } from '../pageSettings.ts'
import { createSingleflight } from '../singleflight.ts'
import { connectWindow } from './connectWindow.ts'

test('does not offer to open a login window if the page aborts the login while it is being prepared', async () => {
  const approvals = createApprovalQueue<ApprovalView>()
  const shown = new Promise<never>((_, reject) => approvals.subscribe(() => reject(new Error('shown'))))
  const page = 'https://shop.example'
  const frame = createCrossSiteFrame({ window: { document: {} }, page } as unknown as Parameters<
    typeof createCrossSiteFrame
  >[0])
  const context = {
    approvals,
    shared: createSingleflight(),
    settings: createPageSettings(new URL('https://keys.example/sdk')),
    // The page aborts the login while the cross-site code is loading.
    crossSite: async () => {
      approvals.abort('1')
      return frame
    },
  } as unknown as FrameContext
  const caller = { id: '1', origin: page, byPort: true, signal: new AbortController().signal }
  await expect(Promise.race([connectWindow(context, undefined, caller), shown])).rejects.toThrow('Request was aborted')
})
