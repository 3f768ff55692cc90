import { expect, test } from 'vitest'
import { createEmbeddedFrame } from './embeddedFrame.ts'
import { requestInVisibleFrame } from './requestInVisibleFrame.ts'
import { type Harness, harness } from './testing/harness.ts'

function ask(
  response: () => Promise<undefined>,
  signal?: AbortSignal,
): Harness & { readonly result: Promise<unknown> } {
  const page = harness({ frame: { script: { CONNECT_PASSKEY: response } } })
  const frame = createEmbeddedFrame({ options: page.options, host: page.host, rpcUrl: () => undefined })
  const result = requestInVisibleFrame(frame, 'CONNECT_PASSKEY', undefined, signal)
  result.catch(() => undefined)
  return { ...page, result }
}

const pending = () => new Promise<undefined>(() => undefined)

test('the frame is displayed until it responds', async () => {
  let respond = (_: undefined): void => undefined
  const { result, place, pass } = ask(() => new Promise((resolve) => (respond = resolve)))
  await pass(0)
  expect(place).toEqual(['shown'])
  respond(undefined)
  await pass(0)
  await result
  expect(place).toEqual(['shown', 'hidden'])
})

test('rejects with user/rejected if the user declines, and with frame/failed for other errors', async () => {
  const rejected = ask(() => Promise.reject(new Error('User rejected the request.')))
  const failed = ask(() => Promise.reject(new Error('No.')))
  for (const { pass } of [rejected, failed]) await pass(0)
  await expect(rejected.result).rejects.toMatchObject({ code: 'user/rejected' })
  await expect(failed.result).rejects.toMatchObject({ code: 'frame/failed' })
})

test.each(['the user closes the frame', 'the caller aborts'])(
  'the frame is notified and hidden when %s',
  async (what) => {
    const controller = new AbortController()
    const { result, place, pass, frame, dismiss } = ask(pending, controller.signal)
    await pass(0)
    if (what.startsWith('the user')) dismiss()
    else controller.abort()
    await expect(result).rejects.toMatchObject({ code: 'frame/aborted' })
    await pass(0)
    expect([place, frame.requests.at(-1)?.name]).toEqual([['shown', 'hidden'], 'RPC_ABORT'])
  },
)
