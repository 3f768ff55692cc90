import { expect, test } from 'vitest'
import { type ApprovalQueue, createApprovalQueue } from '../approvals/approvalQueue.ts'
import type { ApprovalView } from '../approvals/approvalViewModel.ts'
import type { FrameContext } from '../frameContext.ts'
import type { Caller } from '../messageBridge.ts'
import { rpcAbort } from './rpcAbort.ts'
import { rpcRequest } from './rpcRequest.ts'

const caller = (id: string) => ({ id, origin: 'https://shop.example' }) as Caller & { readonly id: string }

/** Creates a frame whose node responds when the test decides. */
function frame() {
  const approvals: ApprovalQueue<ApprovalView> = createApprovalQueue()
  const waiting: ((answer: unknown) => void)[] = []
  const context = {
    approvals,
    rpc: () => new Promise((resolve) => waiting.push(resolve)),
    // In production, a cross-site frame hands an approval over to its window. A test can use the queue instead.
    crossSite: undefined as FrameContext['crossSite'],
  }
  return { approvals, waiting, context: context as unknown as FrameContext }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('an abort by the page does not stop a read request [R4.15]', async () => {
  const { waiting, context } = frame()
  const reading = rpcRequest(context, { method: 'eth_getBalance', params: ['0x', 'latest'], chainId: 1 }, caller('a'))
  await expect.poll(() => waiting).toHaveLength(1)
  await rpcAbort(context, { id: 'a' }, caller('b'))
  await rpcAbort(context, undefined, caller('c'))
  waiting[0]?.('0x5')
  expect(await reading).toBe('0x5')
})

test.each([{ id: 'a' }, undefined])(
  'an abort by the page (%o) ends an approval that is still being prepared [R4.15]',
  async (which) => {
    const { approvals, context } = frame()
    let prepared = (): void => {}
    const preparing = new Promise<void>((resolve) => (prepared = resolve))
    const crossSite = async () => ({
      request: async ({ approvals: own }: FrameContext) => {
        await preparing
        return own.ask({ id: 'a', subject: {} as ApprovalView, perform: async () => 'signed' })
      },
    })
    const signing = rpcRequest(
      { ...context, crossSite: crossSite as unknown as FrameContext['crossSite'] },
      { method: 'personal_sign', params: ['0x68', '0x'], chainId: 1 },
      caller('a'),
    )
    signing.catch(() => {})
    await settled()
    await rpcAbort(context, which, caller('b'))
    prepared()
    await expect(signing).rejects.toThrow('Request was aborted')
    expect(approvals.current()).toBeUndefined()
  },
)
