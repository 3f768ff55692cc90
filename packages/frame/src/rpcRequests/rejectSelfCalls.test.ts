import { expect, test } from 'vitest'
import type { FrameContext } from '../frameContext.ts'
import { getSafe } from '../smartAccount/safe.ts'
import type { OpenedWallet } from '../wallet/embeddedWallet.ts'
import { sendCalls } from './sendCalls.ts'
import { sendTransaction } from './sendTransaction.ts'

const key = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const friend = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
/** The calldata for `enableModule(address)`. */
const data = `0x610b5925${'0'.repeat(24)}${friend.slice(2)}`

async function outcome(call: { to: string; data?: string; value?: string }): Promise<readonly string[]> {
  const context = {
    config: async () => ({ bundlers: ['eip155:1'], networks: ['eip155:1'], paymasters: [] }),
    settings: { accountType: () => 'eoa' },
    batches: new Map(),
    approvals: { ask: () => Promise.reject(new Error('asked')) },
  } as unknown as FrameContext
  const open = { addresses: { eip155: key }, single: false } as unknown as OpenedWallet
  const request = { id: '1', origin: 'https://shop.example', chain: 'eip155:1', method: 'x' } as const
  const tries = [
    sendTransaction(context, open, { ...request, params: [{ from: key, ...call }] }),
    sendCalls(context, open, { ...request, params: [{ from: key, calls: [{ to: friend, value: '0x1' }, call] }] }),
  ]
  return Promise.all(tries.map((item) => item.then(String, (error: Error) => error.message)))
}

test('a page cannot call the account’s own addresses in a transaction or a batch', async () => {
  const refused = 'A page cannot send calls to the account itself'
  const safe = getSafe(key).address
  for (const to of [key, key.toLowerCase(), safe, safe.toLowerCase()])
    expect(await outcome({ to, data }), to).toEqual([refused, refused])
  expect(await outcome({ to: friend, data })).toEqual(['asked', 'asked'])
  expect(await outcome({ to: safe, value: '0x1' })).toEqual(['asked', 'asked'])
})
