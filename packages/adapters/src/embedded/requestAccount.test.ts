import { testAccounts } from '@latchkey/testing'
import { expect, test } from 'vitest'
import { createEmbeddedFrame } from './embeddedFrame.ts'
import { requestAccount } from './requestAccount.ts'
import { harness } from './testing/harness.ts'

const [{ address }] = testAccounts

async function request(params: { port?: boolean; silent?: boolean; signal?: AbortSignal } = {}) {
  let respond = (): void => undefined
  const page = harness({
    frame: {
      port: params.port ?? true,
      script: { GET_USER: () => new Promise((resolve) => (respond = () => resolve({ address, chainId: 10 }))) },
    },
  })
  const { host, options } = page
  const frame = createEmbeddedFrame({ options, host, rpcUrl: () => undefined })
  frame.mount()
  await page.pass(0)
  const result = requestAccount({
    frame,
    host,
    chain: 'eip155:10',
    rpcUrl: 'https://rpc.example/10',
    silent: params.silent,
    signal: params.signal,
    received: async (user) => user.chainId,
  })
  result.catch(() => undefined)
  await page.pass(0)
  return { ...page, result, respond: () => respond() }
}

test('the request specifies the chain, its RPC URL and the account type', async () => {
  const { frame, result, respond, pass } = await request()
  expect(frame.requests[0]?.payload).toEqual({
    chainId: 'eip155:10',
    preferredAccountType: 'smartAccount',
    rpcUrl: 'https://rpc.example/10',
  })
  respond()
  await pass(0)
  expect(await result).toBe(10)
})

test('our frame is displayed if it does not respond within two seconds', async () => {
  const { place, pass, respond, result } = await request()
  await pass(1_999)
  expect(place).toEqual([])
  await pass(1)
  expect(place).toEqual(['shown'])
  respond()
  await pass(0)
  await result
  expect(place).toEqual(['shown', 'hidden'])
})

test.each([
  ['a silent request', { silent: true }],
  ['a request to a third-party frame', { port: false }],
])('%s does not show the frame', async (_, params) => {
  const { place, pass } = await request(params)
  await pass(60_000)
  expect(place).toEqual([])
})

test('aborting cancels only the caller’s own request', async () => {
  const controller = new AbortController()
  const { frame, pass, result } = await request({ signal: controller.signal })
  const id = frame.requests[0]?.id
  controller.abort()
  await expect(result).rejects.toMatchObject({ code: 'frame/aborted' })
  await pass(0)
  expect(frame.requests.at(-1)).toMatchObject({ name: 'RPC_ABORT', payload: { id } })
})
