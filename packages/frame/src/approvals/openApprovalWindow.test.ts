import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test, vi } from 'vitest'
import { PublicError } from '../publicError.ts'
import type { ApprovalView, Quote } from './approvalViewModel.ts'
import type { ShownApproval } from './approvalWindowChannel.ts'
import { createApprovalWindow } from './openApprovalWindow.ts'

const first = 'a'.repeat(32)
const second = 'b'.repeat(32)
const setting = { origin: 'https://shop.example', chain: 'eip155:1', account: '0xada' } as const
const message: ApprovalView = {
  kind: 'message',
  setting,
  reading: { kind: 'bytes', hex: '0x01', hash: false },
} as never

/** Creates a frame with an approval window. The test sends and receives the window's messages. */
function frame(subject: ApprovalView = message) {
  const clock = fakeClock(0)
  const timers = new Map<number, () => void>()
  const page = new EventTarget()
  const opened: string[] = []
  const posted: object[] = []
  let channel: { onmessage?: (event: { data: unknown }) => void; readonly name: string } | undefined
  const window = {
    addEventListener: page.addEventListener.bind(page),
    removeEventListener: page.removeEventListener.bind(page),
    crypto: globalThis.crypto,
    location: { origin: 'https://keys.example' },
    navigator: { vendor: 'Google Inc.' },
    open: (url: string) => opened.push(url),
    setTimeout: (task: () => void, ms: number) => timers.set(timers.size, clock.after(ms, task)).size - 1,
    clearTimeout: (timer: number) => timers.get(timer)?.(),
    BroadcastChannel: class {
      readonly name: string
      constructor(name: string) {
        this.name = name
        channel = this
      }
      postMessage(data: object) {
        posted.push(data)
      }
      close() {
        channel = undefined
      }
    },
  }
  const approve = vi.fn()
  const cancel = vi.fn()
  const shown: ShownApproval = { subject, behind: 0, theme: {}, language: 'en', operatorCanSign: false }
  const approvalWindow = createApprovalWindow({ window: window as never, shown: () => shown, approve, cancel })
  const states: string[] = []
  approvalWindow.subscribe(() => states.push(approvalWindow.state()))
  return {
    clock,
    approvalWindow,
    opened,
    posted,
    states,
    approve,
    cancel,
    leave: () => page.dispatchEvent(new Event('pagehide')),
    listens: () => channel !== undefined,
    channelName: () => channel?.name,
    receive: (data: unknown) => channel?.onmessage?.({ data }),
  }
}

/** Creates calls whose quotes have increasing fees. The second attempt to fetch a quote fails. */
function calls() {
  let count = 0
  const quoteAt = (fee: number) =>
    ({ fee: BigInt(fee), readings: [], nonce: 7, signingData: '0x01' }) as unknown as Quote
  const prepare = async () => {
    count += 1
    if (count === 2) throw new PublicError('The network cannot be reached')
    return quoteAt(count)
  }
  return { subject: { kind: 'calls', setting, calls: [], prepare } as ApprovalView, quoteAt }
}

test('the first context that claims the ID from the URL gets the approval, and no other context does', () => {
  const { approvalWindow, opened, posted, states, receive, channelName } = frame()
  approvalWindow.open()
  const [, id] = /^\/approve(?:\.html)?#([0-9a-f]{32})$/.exec(opened[0] ?? '') ?? []
  expect(channelName()).toBe(`latchkey-approval:${id}`)
  for (const odd of [undefined, {}, { type: 'claim' }, { type: 'claim', from: 'short' }]) receive(odd)
  expect([posted, states]).toEqual([[], ['opening']])
  receive({ type: 'claim', from: first })
  receive({ type: 'claim', from: second })
  receive({ type: 'claim', from: first })
  expect(posted).toMatchObject([{ type: 'show', to: first, subject: { kind: 'message' }, language: 'en' }])
  expect(states).toEqual(['opening', 'open'])
})

test('an ID that is not claimed within a minute expires, and a window that was claimed in time stays open', async () => {
  const unclaimed = frame()
  unclaimed.approvalWindow.open()
  await unclaimed.clock.pass(4_999)
  expect(unclaimed.states).toEqual(['opening'])
  await unclaimed.clock.pass(1)
  expect(unclaimed.states).toEqual(['opening', 'blocked'])
  await unclaimed.clock.pass(54_999)
  expect(unclaimed.listens()).toBe(true)
  await unclaimed.clock.pass(1)
  expect([unclaimed.listens(), unclaimed.states.at(-1), unclaimed.posted]).toEqual([false, 'none', []])

  const late = frame()
  late.approvalWindow.open()
  await late.clock.pass(59_999)
  late.receive({ type: 'claim', from: first })
  await late.clock.pass(600_000)
  expect([late.listens(), late.approvalWindow.state()]).toEqual([true, 'open'])

  const prompt = frame()
  prompt.approvalWindow.open()
  prompt.receive({ type: 'claim', from: first })
  await prompt.clock.pass(600_000)
  expect(prompt.states).toEqual(['opening', 'open'])
})

test('the window approves exactly the quote that it displayed, once', async () => {
  const { subject, quoteAt } = calls()
  const { approvalWindow, posted, approve, cancel, receive, clock } = frame(subject)
  approvalWindow.open()
  receive({ type: 'claim', from: first })
  receive({ type: 'prepare', from: second, call: 0 })
  for (const call of [1, 2, 3]) receive({ type: 'prepare', from: first, call })
  await clock.pass(0)
  expect(posted.slice(1)).toMatchObject([
    { type: 'prepared', call: 1, prepared: 0, quote: { fee: 1n } },
    { type: 'failed', call: 2, sentence: 'The network cannot be reached' },
    { type: 'prepared', call: 3, prepared: 1, quote: { fee: 3n } },
  ])
  // Data for signing stays in the frame.
  expect(JSON.stringify(posted, (_, value) => (typeof value === 'bigint' ? 0 : value))).not.toMatch(/nonce|signingData/)

  receive({ type: 'approve', from: second, prepared: 1 })
  receive({ type: 'approve', from: first })
  receive({ type: 'approve', from: first, prepared: 2 })
  expect(approve).not.toHaveBeenCalled()
  receive({ type: 'approve', from: first, prepared: 1 })
  receive({ type: 'approve', from: first, prepared: 0 })
  receive({ type: 'cancel', from: first })
  expect(approve.mock.calls).toEqual([[quoteAt(3)]])
  expect(cancel).not.toHaveBeenCalled()
  approvalWindow.doing()
  expect(posted.at(-1)).toEqual({ type: 'doing' })
})

test('an approval other than calls needs no quote, and can be cancelled only once', () => {
  const approved = frame()
  approved.approvalWindow.open()
  approved.receive({ type: 'claim', from: first })
  approved.receive({ type: 'prepare', from: first, call: 1 })
  approved.receive({ type: 'approve', from: first })
  expect([approved.approve.mock.calls, approved.posted.length]).toEqual([[[undefined]], 1])

  const cancelled = frame()
  cancelled.approvalWindow.open()
  cancelled.receive({ type: 'claim', from: first })
  cancelled.receive({ type: 'cancel', from: second })
  expect(cancelled.cancel).not.toHaveBeenCalled()
  cancelled.receive({ type: 'cancel', from: first })
  cancelled.receive({ type: 'cancel', from: first })
  cancelled.receive({ type: 'approve', from: first })
  expect([cancelled.cancel.mock.calls.length, cancelled.approve.mock.calls.length]).toEqual([1, 0])
})

test('a replaced window is notified, and the frame stops listening when the window closes or the approval ends', async () => {
  const { approvalWindow, posted, states, receive, listens, opened, leave } = frame()
  approvalWindow.open()
  receive({ type: 'claim', from: first })
  approvalWindow.open()
  expect(posted.at(-1)).toEqual({ type: 'gone' })
  expect(opened[0]).not.toBe(opened[1])
  expect(states).toEqual(['opening', 'open', 'none', 'opening'])

  receive({ type: 'claim', from: second })
  receive({ type: 'closed', from: first })
  expect(listens()).toBe(true)
  receive({ type: 'closed', from: second })
  expect([listens(), approvalWindow.state()]).toEqual([false, 'none'])

  approvalWindow.open()
  leave()
  expect(listens()).toBe(false)
  approvalWindow.open()
  approvalWindow.stop()
  expect(listens()).toBe(false)
  const count = posted.length
  approvalWindow.doing()
  expect(posted).toHaveLength(count)
})

test('a listener that is removed receives no more state changes', () => {
  const { approvalWindow } = frame()
  const listener = vi.fn()
  approvalWindow.subscribe(listener)()
  approvalWindow.open()
  expect(listener).not.toHaveBeenCalled()
})
